import { create } from '../../../src/conversations/create/create';
import type { Script } from '../../support/fakeRuntime';
import { fakeRuntime, lost, reply } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';
import { fieldsRow } from '../../support/startConversations';
import { phoneOf } from '../../support/samples';

/** Calls so many people, with these settings. */
const call = async (people: number, script: Script, more: object = {}) =>
	await runRows(
		create,
		Array.from({ length: people }, (_, n) => fieldsRow({ toPhoneNumber: phoneOf(n), ...more })),
		fakeRuntime(script).context(),
	);

const accept: Script = () => reply(200, '');
const reject: Script = () => reply(400, { code: 'BAD_REQUEST', message: 'no' });
const none = 'No one was called';

it.each<[string, number, Script, object, { happened?: string; none?: string }]>([
	['one person', 1, accept, {}, { happened: '1 person was called' }],
	['several', 3, accept, {}, { happened: '3 people were called' }],
	['no one of several', 2, reject, {}, { none }],
	['no one of one row, which says so itself', 1, reject, {}, {}],
	['no one as far as is known', 2, () => lost(), {}, {}],
	['no one in a dry run', 2, accept, { dryRun: true }, {}],
])('a run begins with what happened: %s', async (_, people, script, more, expected) => {
	const { happened, none } = await call(people, script, more);
	expect({ happened, none }).toEqual({ happened: undefined, none: undefined, ...expected });
});

it('a dry run in one item counts who is invalid, and names all rows', async () => {
	const options = { outputAs: 'run' };
	const context = fakeRuntime(accept).context();
	const rows = ['', phoneOf(1), phoneOf(2)].map((toPhoneNumber) =>
		fieldsRow({ toPhoneNumber, dryRun: true, options }),
	);
	const { shared, summary } = await runRows(create, rows, context);
	expect(shared?.map((each) => each.rows)).toEqual([[0, 1, 2]]);
	expect(summary).toContain('1 rejected');
});
