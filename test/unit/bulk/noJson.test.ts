import { create } from '../../../src/conversations/create';
import { createBatch } from '../../../src/customers/createBatch';
import { fakeWorld, inTurn, reply } from '../../support/fakeWorld';
import { AGENT, PHONE } from '../../support/samples';

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
		'dynamicVariables.variables.0.value',
	],
	[
		'variables as JSON',
		{ variablesMode: 'json', dynamicVariablesJson: { deep } },
		'dynamicVariablesJson',
	],
	[
		'a column that is a variable',
		{ inputRow: { n: 1n }, options: { columnsAsVariables: true } },
		'options.columnsAsVariables',
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
		const world = fakeWorld(inTurn(reply(200, '')));
		const other = { ...call({}).parameters, toPhoneNumber: '+14155550179' };
		const { rows } = await create.run([{ parameters: other }, call(more)], world.desk());
		expect(world.sent).toEqual([]);
		const failure = rows[1]?.failure;
		const problems = failure?.kind === 'input' ? failure.problems : [];
		expect(problems.map((problem) => problem.path.join('.'))).toEqual([path]);
		expect(problems[0]?.message).toMatch(/cannot be written as JSON\. .*(Convert|convert|Leave)/);
	});

	it('the source of a customer, and the other rows go', async () => {
		const world = fakeWorld(inTurn(reply(200, { jobId: 'j' })));
		const row = (customer: object) => ({
			parameters: { inputMode: 'json', customersJson: customer },
		});
		const { rows } = await createBatch.run(
			[row({ identifier: 'a' }), row({ identifier: 'b', source: { method: 'api', deep } })],
			world.desk(),
		);
		expect(world.sent).toHaveLength(1);
		expect(rows[0]?.items).toHaveLength(1);
		expect(rows[1]?.failure).toMatchObject({
			problems: [{ message: 'is nested too deeply for JSON. Leave the inner levels out' }],
		});
	});

	it('a column that is no variable hurts nobody', async () => {
		const world = fakeWorld(inTurn(reply(200, '')));
		await create.run([call({ inputRow: { n: 1n } })], world.desk());
		expect(world.sent).toHaveLength(1);
	});
});
