import { create } from '../../../src/conversations/create/create';
import { createBatch } from '../../../src/customers/batch';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';
import { AGENT, PHONE } from '../../support/samples';
import { runRows } from '../../support/runRows';

let deep: object = {};
for (let level = 0; level < 100_000; level++) deep = { deep };

const call = (more: object) => ({
	parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: PHONE, ...more },
});

/** What of parameters no JSON can hold, and the path of the problem. */
const variables: ReadonlyArray<readonly [string, object, string]> = [
	[
		'a variable',
		{ dynamicVariables: { variables: [{ name: 'n', value: 1n }] } },
		'dynamicVariables',
	],
	[
		'variables as JSON',
		{ variablesMode: 'json', dynamicVariablesJson: { deep } },
		'dynamicVariablesJson',
	],
	[
		'a column that is a variable',
		{ inputRow: { n: 1n }, variablesMode: 'columns' },
		'dynamicVariables',
	],
	[
		'a conversation as JSON',
		{
			inputMode: 'json',
			conversationsJson: { agentId: AGENT, toPhoneNumber: PHONE, dynamicVariables: { n: 1n } },
		},
		'conversationsJson.dynamicVariables',
	],
];

describe('what no JSON can hold is a problem of its row, before anything is sent', () => {
	it.each(variables)('%s', async (_, more, path) => {
		const runtime = fakeRuntime(inTurn(reply(200, '')));
		const fine = { toPhoneNumber: '+14155550179', conversationsJson: [] };
		const other = {
			...more,
			...fine,
			dynamicVariables: { variables: [] },
			dynamicVariablesJson: {},
			inputRow: {},
		};
		const { rows } = await runRows(create, [call(other), call(more)], runtime.context());
		expect(runtime.sent).toEqual([]);
		const failure = rows[1]?.failure;
		const problems = failure?.kind === 'input' ? failure.problems : [];
		expect(problems.map((problem) => problem.path.join('.'))).toEqual([path]);
		expect(problems[0]?.reason).toMatch(
			/cannot be written as JSON\. .*(Convert|convert|Leave)|nested deeper than 200 levels\. Flatten it/,
		);
	});

	it('the source of a customer, and the other rows go', async () => {
		const runtime = fakeRuntime(inTurn(reply(200, { jobId: 'j' })));
		const row = (customer: object) => ({
			parameters: { inputMode: 'json', customersJson: customer },
		});
		const { rows } = await runRows(
			createBatch,
			[row({ identifier: 'a' }), row({ identifier: 'b', source: { method: 'api', deep } })],
			runtime.context(),
		);
		expect(runtime.sent).toHaveLength(1);
		expect(rows[0]?.items).toHaveLength(1);
		expect(rows[1]?.failure).toMatchObject({
			problems: [
				{
					reason: 'is nested deeper than 200 levels. Flatten it',
				},
			],
		});
	});

	it('a column that is no variable hurts no one', async () => {
		const runtime = fakeRuntime(inTurn(reply(200, '')));
		await runRows(create, [call({ inputRow: { n: 1n } })], runtime.context());
		expect(runtime.sent).toHaveLength(1);
	});
});
