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

it.each<[string, number, Script, object, string | undefined]>([
	['one person', 1, accept, {}, '1 person was called'],
	['several', 3, accept, {}, '3 people were called'],
	['no one of several', 2, reject, {}, '0 people were called'],
	['no one of one row, which says so itself', 1, reject, {}, undefined],
	['no one as far as is known', 2, () => lost(), {}, undefined],
	['no one in a dry run', 2, accept, { dryRun: true }, undefined],
])('a run begins with what happened: %s', async (_, people, script, more, happened) => {
	expect((await call(people, script, more)).happened).toBe(happened);
});
