import type { IDataObject } from 'n8n-workflow';
import { mappedAutomatically, upsertBatch } from '../support/panel';
import type { Setup } from '../support/runNode';
import { useN8nStore } from '../support/n8nStore';
import { runNode, start } from '../support/runNode';
import { listOf } from '../support/samples';
import type { Scripted } from '../support/service';
import { forget, serve } from '../support/service';

afterEach(forget);

const exported = (names: Readonly<Record<string, string>>): IDataObject[] =>
	Object.entries(names).map(([id, name]) => ({ 'Record ID': id, Name: name }));
const people = { 101: 'Ana', 102: 'Ben', 103: 'Mara', 104: 'Kofi' };
const accepted: Scripted = { status: 200, body: { jobId: 'job-1' } };
const refused: Scripted = { status: 400, body: { code: 'BAD_REQUEST', message: 'No' } };

const sync = (rows: IDataObject[], options: IDataObject = {}, more: Partial<Setup> = {}) => ({
	rows,
	parameters: {
		...upsertBatch,
		customer: mappedAutomatically,
		doNotDisturb: 'none',
		options: { skipUnchanged: true, ...options },
	},
	...more,
});

/** A workflow whose state n8n saves after each execution. */
function workflow() {
	let staticData: IDataObject | undefined;
	const sent: string[][] = [];
	let answer = accepted;
	serve(({ body }) => {
		sent.push(
			listOf(body, 'customers').map((each) => String(Reflect.get(Object(each), 'identifier'))),
		);
		return answer;
	});
	return {
		answerWith: (scripted: Scripted) => (answer = scripted),
		stateOf: () => JSON.stringify(staticData),
		/** Runs it; `isKilled` is true where n8n has no chance to save what the execution left. */
		run: async (
			rows: IDataObject[],
			options?: IDataObject,
			more?: Partial<Setup>,
			isKilled = false,
		) => {
			sent.length = 0;
			const outcome = await runNode({ ...sync(rows, options, more), staticData });
			if (!isKilled) staticData = outcome.staticData ?? staticData;
			return { ...outcome, sent: sent.flat().sort() };
		},
	};
}

const ids = (rows: readonly IDataObject[]) => rows.map((row) => String(row['Record ID'])).sort();

it('sends a whole export once, then only what changed', async () => {
	const { run, stateOf } = workflow();
	const all = exported(people);
	expect((await run(all)).sent).toEqual(ids(all));
	expect(stateOf().length).toBeLessThan(64_000);
	const again = await run([...all].reverse());
	expect(again.sent).toEqual([]);
	expect(again.main.map(({ json }) => json)).toEqual(
		['104', '103', '102', '101'].map((identifier, i) => ({
			...{ row: i + 1, outcome: 'unchanged', reason: 'The service has it already', identifier },
			...{ jobId: null, request: null },
		})),
	);
	expect(again.hints[0]).toMatch(/^4 rows, 0 requests: 4 unchanged<br>Mapped: /);
	const changed = await run(exported({ ...people, 103: 'Mara K.' }));
	expect(changed.sent).toEqual(['103']);
	expect(changed.main.map(({ json }) => json['outcome'])).toEqual([
		...['unchanged', 'unchanged', 'accepted', 'unchanged'],
	]);
	expect(changed.hints[0]).toContain('4 rows, 1 request: 1 accepted, 3 unchanged<br>');
	expect((await run(exported({ ...people, 103: 'Mara K.' }))).sent).toEqual([]);
});

it('sends a customer again that was rejected, and one that changed back', async () => {
	const { run, answerWith } = workflow();
	await run(exported(people));
	answerWith(refused);
	const failed = await run(exported({ ...people, 102: 'Benjamin' }), {}, onError);
	expect(failed.hints[0]).toContain(
		'4 rows, 1 request: 3 unchanged, 1 rejected by the service<br>',
	);
	answerWith(accepted);
	expect((await run(exported({ ...people, 102: 'Benjamin' }))).sent).toEqual(['102']);
	expect((await run(exported(people))).sent).toEqual(['102']);
});

const onError = { settings: { onError: 'continueErrorOutput' as const } };

it('keeps what was accepted when the node fails for other rows', async () => {
	const { run, answerWith } = workflow();
	answerWith(refused);
	const failed = await run(exported(people));
	expect(failed.error?.message).toContain('No');
	answerWith(accepted);
	const mixed = await run([...exported(people), { Name: 'No one' }]);
	expect(mixed.main.at(-1)?.json).toMatchObject({
		outcome: 'rejected',
		reason: expect.stringContaining('Identifier') as string,
	});
	expect((await run(exported(people))).sent).toEqual([]);
});

it('trusts nothing after an execution that was killed', async () => {
	const { run } = workflow();
	await run(exported(people));
	await run(exported({ ...people, 101: 'Anna' }), {}, {}, true);
	expect((await run(exported(people))).sent).toEqual(ids(exported(people)));
});

it('sends no one where n8n cannot record it, since another run may be about to save its state', async () => {
	const sent: unknown[] = [];
	serve(({ body }) => {
		sent.push(body);
		return accepted;
	});
	const store = await useN8nStore();
	store.failure = new Error('The database is locked');
	const { error, staticData } = await start(sync(exported(people))).done;
	expect([sent.length, staticData]).toEqual([0, undefined]);
	expect(error?.message).toContain('n8n could not record that customers are being sent');
	const off = await start(sync(exported(people), { skipUnchanged: false })).done;
	expect([sent.length, off.error]).toEqual([1, undefined]);
});

it('stops where a column that was read is gone or the identifier would come from another, until that is accepted', async () => {
	const { run } = workflow();
	const withMail = Object.entries(people).map(([id, name]) => ({
		'Record ID': id,
		Name: name,
		Email: `${name}@example.com`,
	}));
	expect((await run(withMail)).sent).toHaveLength(4);
	const renamed = withMail.map(({ Email: Mailbox, ...row }) => ({
		...row,
		'Contact route': Mailbox,
	}));
	const stopped = await run(renamed);
	expect(stopped.sent).toEqual([]);
	expect(stopped.error?.message).toContain(
		"other columns that are gone or not used now: Email ('Email')",
	);
	expect((await run(renamed, { skipUnchanged: false })).sent).toHaveLength(4);
	expect((await run(renamed)).sent).toHaveLength(4);
	expect((await run(renamed)).sent).toEqual([]);
});
