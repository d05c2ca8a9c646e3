import type { INodeParameters } from 'n8n-workflow';
import type { Setup } from '../support/runNode';
import { runNode } from '../support/runNode';
import { uuidOf } from '../support/samples';
import type { Scripted } from '../support/service';
import { forget, serve } from '../support/service';

const parameters = {
	resource: 'conversation',
	operation: 'get',
	conversationId: '={{ $json.id }}',
	waitUntilFinished: true,
};
const quick = { firstPause: 0.1, longestPause: 0.1, maximumWait: 0.03 };
const state = (path: string, conversationStatus: string): Scripted => ({
	status: 200,
	body: { id: path.split('/').at(-1), conversationStatus },
});

const rows = [1, 2, 3].map((n) => ({ id: uuidOf(n) }));

/** The second of three conversations never finishes. */
const serveThree = () =>
	serve(({ path }, number) =>
		state(path, path.endsWith('2') || number <= 3 ? 'in_progress' : 'completed'),
	);

const run = async (options: INodeParameters, setup: Partial<Setup> = {}) =>
	await runNode({
		rows,
		parameters: { ...parameters, options: { ...quick, ...options } },
		...setup,
	});

afterEach(forget);

// They wait in real time, on machines that may be busy.
jest.setTimeout(30_000);

it('waits for all rows and gives each its state', async () => {
	const received = serveThree();
	const { main, error, hints } = await run({});
	expect(error).toBeUndefined();
	expect(main).toEqual(
		[true, false, true].map((finished, item) => ({
			json: {
				conversationId: uuidOf(item + 1),
				conversationStatus: finished ? 'completed' : 'in_progress',
				finished,
				reached: 'unknown',
				callAgain: false,
			},
			pairedItem: { item },
		})),
	);
	expect(hints).toEqual([
		`3 conversations, ${received.length} requests: 2 finished, 1 not finished after 1.8 seconds`,
	]);
});

it('fails with the status, how long it waited and the way out, where it has to be finished', async () => {
	serveThree();
	const { error } = await run({ ifNotFinished: 'fail' });
	expect(error?.message).toMatch(
		/^Row 2: The conversation was not finished after [1-9](\.\d)? seconds, its status is 'in_progress'$/,
	);
	expect(error?.description).toMatch(
		/^Raise Maximum Wait, or come back later.*<br>3 conversations, \d+ requests: 2 finished, 1 not finished after 1.8 seconds$/,
	);
	const alone = await run({ ifNotFinished: 'fail' }, { rows: rows.slice(1, 2) });
	expect(alone.error?.message).toMatch(
		/^The conversation was not finished after [1-9](\.\d)? seconds, its status is 'in_progress'$/,
	);
});

it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'gives a conversation that is not finished as an error item (%s)',
	async (onError) => {
		serveThree();
		const { main, errors, error } = await run({ ifNotFinished: 'fail' }, { settings: { onError } });
		expect(error).toBeUndefined();
		const all = [...main, ...errors];
		expect(main.length).toBe(onError === 'continueErrorOutput' ? 2 : 3);
		const failed = all.find(({ json }) => 'error' in json);
		expect(failed).toMatchObject({
			json: {
				error: expect.stringMatching(
					/^Row 2: The conversation was not finished after [1-9](\.\d)? seconds/,
				),
				message: expect.stringContaining('Raise Maximum Wait'),
				details: {
					row: 2,
					kind: 'notFinished',
					conversationStatus: 'in_progress',
					waitedSeconds: expect.closeTo(2.5, -1) as number,
				},
			},
			pairedItem: { item: 1 },
		});
	},
);

it('waits again when n8n runs the node again', async () => {
	const received = serve(({ path }, number) => state(path, number < 3 ? 'queued' : 'completed'));
	const { main, error } = await run(
		// A first look and one at the deadline, or, on a slow machine, only the first.
		{ ifNotFinished: 'fail', firstPause: 3600, maximumWait: 0.003 },
		{
			rows: rows.slice(0, 1),
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		},
	);
	expect(error).toBeUndefined();
	expect(main.map(({ json }) => json['finished'])).toEqual([true]);
	expect(received).toHaveLength(3);
});

it.each([
	[{ maximumWait: 0 }, "'Options > Maximum Wait' must be a number of minutes above 0"],
	[{ finishedStates: ' , ' }, "'Options > Finished Statuses' is empty. Enter statuses"],
	[{ firstPause: 0 }, "'Options > Initial Delay' must be a number of seconds from 0.1 to 3600"],
])('names the option and its bounds: %j', async (options, message) => {
	const received = serveThree();
	const { error } = await run(options, { rows: rows.slice(0, 1) });
	expect(error?.message).toContain(message);
	expect(received).toEqual([]);
});

it('takes text from an agent', async () => {
	const received = serveThree();
	const { main, error } = await runNode({
		rows: rows.slice(0, 1),
		parameters: {
			...parameters,
			waitUntilFinished: '={{ "true" }}',
			options: { ...quick, maximumWait: '={{ "0.05" }}', finishedStates: 'COMPLETED' },
		},
		settings: { type: 'conversationDeskTool' },
	});
	expect(error).toBeUndefined();
	expect(main.map(({ json }) => json['finished'])).toEqual([true]);
	expect(received).toHaveLength(4);
});
