import { readRow } from '../../../../src/conversations/create/conversationRow';
import { createSettings } from '../../../../src/conversations/create/settings';
import { AGENT, PHONE, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

const row = (n: number, variables: readonly object[], options: object = {}) =>
	fieldsRow({ toPhoneNumber: phoneOf(n), dynamicVariables: { variables }, options });

it('are read from rows, and may have the names that every object has', async () => {
	const { sent } = await start([
		row(1, [
			{ name: ' firstName ', value: 'Ana' },
			{ name: 'nothing' },
			{ name: 'no', value: false },
			{ name: '__proto__', value: 'a' },
		]),
	]);
	expect(JSON.stringify(sent[0]?.['dynamicVariables'])).toBe(
		'{"firstName":"Ana","nothing":"","no":false,"__proto__":"a"}',
	);
});

it.each([
	[[{ name: 'a' }, { name: ' ' }], 'dynamicVariables.variables.1.name', 'is empty'],
	[[{ name: 'a' }, { name: ' a' }], 'dynamicVariables.variables', 'contains a name twice'],
	[[{ name: 'a', value: NaN }], 'dynamicVariables', 'cannot be written as JSON'],
	// An expression that replaces the whole list.
	[{}, 'dynamicVariables.variables', 'is empty because an expression'],
])('are refused: %j', async (variables, path, reason) => {
	const { sent, problems } = await start([row(1, variables as readonly object[])]);
	expect([sent, problems]).toEqual([[], [[[path, expect.stringContaining(reason)]]]]);
});

describe('columns of the row', () => {
	const question = { whoMayBeCalled: 'notMarked', doNotCallColumn: 'DNC' };
	const settings = createSettings.parse({
		inputMode: 'fields',
		variablesMode: 'columns',
		...question,
	});
	const read = (inputRow: object) =>
		readRow({ parameters: { inputRow, agentId: AGENT, toPhoneNumber: PHONE } }, settings);

	it('are variables if they have a value, but not the column that says who may be called', () => {
		const { content } = read({
			' First Name ': 'Ana',
			DNC: 'no',
			Note: ' ',
			Sum: '#REF!',
			Due: '#N/A',
			Age: 0,
		});
		expect(content?.conversation.dynamicVariables).toEqual({ 'First Name': 'Ana', Age: 0 });
	});

	it('are a fault where two names differ only in blanks', () => {
		expect(read({ Name: 'Ana', 'Name ': 'Bo' }).problems).toMatchObject([
			{
				path: ['inputRow'],
				reason: "has the column 'Name' twice, because two names differ only in blanks. Rename one",
			},
		]);
		expect(read({ Name: 'Ana', name: 'Bo' }).problems).toBeUndefined();
	});

	it('are no choice of a tool', () => {
		const tool = createSettings.safeParse({
			inputMode: 'fields',
			variablesMode: 'columns',
			asTool: true,
		});
		expect(tool.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
			['variablesMode', "must not be 'Columns of the Row' in a tool of an agent"],
		]);
	});
});

describe('empty variables', () => {
	const rows = (options: object = {}) => [
		row(1, [{ name: 'first' }, { name: 'last' }], options),
		row(2, [{ name: 'first', value: 'Ana' }, { name: 'last' }], options),
		row(3, [{ name: 'first', value: ' ' }], options),
	];

	it('are counted by every run and dry run', async () => {
		for (const dryRun of [false, true]) {
			const { summary } = await start(rows({ dryRun }));
			expect(summary).toContain('Empty variables of 3 rows: last in 3, first in 2');
		}
		const full = await start([row(1, [{ name: 'visits', value: 0 }])]);
		expect(full.summary).not.toContain('Empty variables');
	});

	it('are not those with a date', async () => {
		const value = new Date(0);
		const options = { requiredVariables: 'since' };
		const { called } = await start([row(1, [{ name: 'since', value }], options)]);
		expect(called).toHaveLength(1);
	});

	it.each<[unknown, string[]]>([
		['first', ["has no value for 'first'. Fill it in, or remove it from Required Variables"]],
		[
			["['first']", 'city'],
			["has no value for 'first'", "has no value for 'city'"],
		],
		['first, last', ["has no value for 'first'", "has no value for 'last'"]],
	])('are faults of their rows where they are required: %j', async (requiredVariables, reasons) => {
		const { sent, problems } = await start(rows({ requiredVariables, invalidRows: 'sendValid' }));
		expect(sent).toHaveLength(requiredVariables === 'first' ? 1 : 0);
		expect(problems[0]).toEqual(
			reasons.map((reason) => ['dynamicVariables', expect.stringContaining(reason)]),
		);
	});

	it.each([[[]], [{}], [['']]])('have no value by %j', async (value) => {
		const required = { requiredVariables: 'first', invalidRows: 'sendValid' };
		const { sent } = await start([row(1, [{ name: 'first', value }], required)]);
		expect(sent).toEqual([]);
	});

	it.each([' , ', '', [], 5])('cannot be required by %j', async (requiredVariables) => {
		const { sent, problems } = await start(rows({ requiredVariables }));
		expect([sent, JSON.stringify(problems[0])]).toEqual([
			[],
			expect.stringContaining('safeguards.requiredVariables'),
		]);
	});
});
