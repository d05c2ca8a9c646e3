import { good } from '../../support/credential';
import { calls, createBatch, mapped, outcomeOf } from '../../support/panel';
import { useN8nStore } from '../../support/n8nStore';
import { runNode } from '../../support/runNode';
import { members, PHONE, phoneOf } from '../../support/samples';
import { forget, serve } from '../../support/service';

const batch = {
	...createBatch,
	customer: mapped({ identifier: '={{ $json.id }}', phoneNumber: '={{ $json.phone }}' }),
};
const taken = () => ({ status: 200, body: { jobId: 'job-1' } });

afterEach(forget);

it('groups rows by their reason, whatever their values', async () => {
	const received = serve(taken);
	const rows = Array.from({ length: 20 }, (_, i) => ({
		phone: i % 2 === 0 ? PHONE.replace(/\d$/, String(i % 10)) : `212-555-01${10 + i}`,
	}));
	const { error } = await runNode({ rows, parameters: calls });
	expect(received).toHaveLength(0);
	expect(error?.message).toBe(
		"0 people were called. 10 rows: 'To Phone Number' has no country code (rows 2, 4, 6 and 7 more). Add it, or set Default Country",
	);
});

it.each([['accessToken'], ['workspaceSlug']])(
	'stops without %s before anything is sent, in a dry run too',
	async (field) => {
		const received = serve(taken);
		for (const dryRun of [false, true]) {
			const { error } = await runNode({
				rows: [{ id: '1' }],
				parameters: { ...batch, dryRun },
				credential: { ...good, [field]: ' ' },
			});
			expect(error?.message).toMatch(/^'Credential > (Access Token|Workspace Slug)' is empty/);
		}
		expect(received).toHaveLength(0);
	},
);

it('says in the hint of a dry run what could be called, why nothing would be sent, and the commonest reason', async () => {
	const rows = [{ phone: '212-555-0197' }, { phone: '212-555-0196' }, { phone: PHONE }];
	const { main, hints } = await runNode({ rows, parameters: { ...calls, dryRun: true } });
	expect(hints.flatMap((hint) => hint.split('<br>'))).toEqual([
		expect.stringMatching(/^Dry run: nothing would be sent, because 2 rows are invalid/),
		'2 rejected before sending',
		expect.stringMatching(/^Agent /),
		"2 rows: 'To Phone Number' has no country code",
	]);
	expect(main.map(({ json }) => Object.keys(json).slice(0, 3))).toEqual(
		rows.map(() => ['outcome', 'reason', 'phone']),
	);
	const [first] = main;
	expect(Object.keys(first?.json ?? {}).slice(-3)).toEqual(['row', 'dryRun', 'planId']);
	for (const { json } of main) expect(Object.keys(json)).toEqual(Object.keys(first?.json ?? {}));
	expect(main.map(({ json }) => [json['outcome'], json['request'], json['dryRun']])).toEqual([
		['rejected', undefined, true],
		['rejected', undefined, true],
		['notSent', undefined, true],
	]);
});

describe('Send the Valid Rows', () => {
	const sendValid = { ...calls, options: { invalidRows: 'sendValid' } };

	it.each([
		['the only one', [{ phone: '12' }], ['rejected']],
		['one of two', [{ phone: '12' }, { phone: PHONE }], ['rejected', 'accepted']],
	])('makes an item of an invalid row, also if it is %s', async (_, rows, outcomes) => {
		serve(taken);
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			await useN8nStore();
			const { main, error } = await runNode({ rows, parameters: sendValid, settings: { onError } });
			expect([error, main.map(({ json }) => json['outcome'])]).toEqual([undefined, outcomes]);
			expect(main[0]?.json).toMatchObject({ code: 'invalid', phone: '12', row: 1 });
		}
	});
});

const hoursOf = (more: object) => ({
	safeguards: {
		callingHours: {
			when: { hours: { rows: [{ days: ['monday'], from: '09:00', until: '20:00', ...more }] } },
		},
	},
});

describe('a fault of the settings is no fault of a row', () => {
	const rows = [1, 2, 3].map((n) => ({ phone: phoneOf(n) }));
	const run = async (parameters: object) => {
		const received = serve(taken);
		const { main, errors } = await runNode({
			rows,
			parameters: { ...calls, ...parameters } as typeof calls,
			settings: { onError: 'continueErrorOutput' },
		});
		forget();
		const items = [...main, ...errors];
		const codes = items.map(({ json }) => json['code'] ?? members(json['details'])['code']);
		return { requests: received.length, outcomes: items.map(outcomeOf), codes };
	};
	const notSent = ['notSent', 'notSent', 'notSent'];

	it.each([
		['a blank agent', { agentId: { __rl: true, mode: 'id', value: ' ' } }],
		['an agent that is none', { agentId: { __rl: true, mode: 'id', value: 'mia' } }],
		['days = mo, tu', hoursOf({ days: 'mo, tu' })],
		['until = 8pm', hoursOf({ until: '8pm' })],
		['a setting by expression', hoursOf({ until: '={{ "8pm" }}' })],
	])('in runs and dry runs: %s', async (_, parameters) => {
		const expected = { requests: 0, outcomes: notSent, codes: Array(3).fill('settings') };
		expect(await run(parameters)).toEqual(expected);
		expect(await run({ ...parameters, dryRun: true })).toEqual(expected);
	});
});
