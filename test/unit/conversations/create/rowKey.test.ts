import { create } from '../../../../src/conversations/create/create';
import { simplify } from '../../../../src/conversations/get/conversation';
import { fakeRuntime, inTurn, reply } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { AGENT, listOf, members, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

async function run(rows: readonly object[]) {
	const runtime = fakeRuntime(inTurn(reply(200, '')));
	const entered = rows.map((more) => ({
		parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: phoneOf(1), ...more },
	}));
	const result = await runRows(create, entered, runtime.context());
	const sent = listOf(runtime.sent[0]?.body, 'conversations').map(
		(one) => members(members(one)['dynamicVariables'])['rowKey'],
	);
	return { ...result, sent };
}

it('sends a chosen key as a variable, and returns it', async () => {
	const { sent, rows } = await run([{ options: { rowKey: ' 4711 ' } }]);
	expect(sent).toEqual(['4711']);
	expect(rows[0]?.items).toMatchObject([{ outcome: 'accepted', rowKey: '4711' }]);
	const numbered = await run([{ options: { rowKey: 12 } }]);
	expect(numbered.sent).toEqual(['12']);
});

it.each(['', ' ', undefined, null])(
	'makes a key of campaign and number where it is %j, the same each time',
	async (rowKey) => {
		const options = { rowKey, campaignKey: 'spring' };
		const { sent, rows } = await run([{ options }, { options, toPhoneNumber: phoneOf(2) }]);
		expect(sent).toHaveLength(2);
		expect(new Set(sent).size).toBe(2);
		expect(sent[0]).toMatch(/^[\w-]{16}$/);
		expect(rows[0]?.items).toMatchObject([{ rowKey: sent[0] }]);
		expect((await run([{ options }])).sent[0]).toBe(sent[0]);
		expect((await run([{ options: { rowKey, campaignKey: 'autumn' } }])).sent[0]).not.toBe(sent[0]);
	},
);

it('is not sent where no one asked for it', async () => {
	const { sent, rows } = await run([{ options: {} }]);
	expect(sent).toEqual([undefined]);
	expect(members(rows[0]?.items[0])).not.toHaveProperty('rowKey');
});

it('refuses to replace a variable of the user, and values that are no key', async () => {
	const dynamicVariables = { variables: [{ name: 'rowKey', value: 'mine' }] };
	const replaced = await run([{ dynamicVariables, options: { rowKey: 'other' } }]);
	expect(replaced.sent).toEqual([]);
	expect(JSON.stringify(replaced.rows[0]?.failure)).toContain('Rename that variable');
	expect((await run([{ dynamicVariables, options: { rowKey: 'mine' } }])).sent).toEqual(['mine']);
	const nested = await run([{ options: { rowKey: { id: 1 } } }]);
	expect(JSON.stringify(nested.rows[0]?.failure)).toContain('must be text or a number');
});

it('says where a row key is wrong', async () => {
	const options = { rowKey: { a: 1 } };
	expect((await start([fieldsRow({ options })])).problems).toEqual([
		[['options.rowKey', 'must be text or a number']],
	]);
	const dynamicVariables = { variables: [{ name: 'rowKey', value: 'mine' }] };
	expect(
		(await start([fieldsRow({ dynamicVariables, options: { rowKey: 'other' } })])).problems,
	).toEqual([
		[
			[
				'options.rowKey',
				'would replace the variable rowKey, which has a different value. Rename that variable, or remove Row Key',
			],
		],
	]);
});

it('is in JSON rows and comes back with the conversation', async () => {
	const runtime = fakeRuntime(inTurn(reply(200, '')));
	const conversationsJson = { agentId: AGENT, toPhoneNumber: phoneOf(1) };
	const parameters = { inputMode: 'json', conversationsJson, options: { rowKey: 'r-1' } };
	await runRows(create, [{ parameters }], runtime.context());
	const [one] = listOf(runtime.sent[0]?.body, 'conversations');
	const dynamicVariables = JSON.stringify(members(one)['dynamicVariables']);
	const reading = { finishedStates: ['completed'], callAgainReasons: [] };
	expect(simplify({ id: 'x', dynamicVariables }, reading).dynamicVariables).toEqual({
		rowKey: 'r-1',
	});
});
