import type { IDataObject } from 'n8n-workflow';
import { calls } from '../../support/panel';
import { runNode } from '../../support/runNode';
import { AGENT, listOf, members, PHONE } from '../../support/samples';
import { forget, serve } from '../../support/service';

afterEach(forget);

/** Calls one row, and returns the variables that were sent, or the error. */
async function run(row: IDataObject, parameters: IDataObject) {
	const received = serve(() => ({ status: 200, body: '' }));
	const { error } = await runNode({
		rows: [{ phone: PHONE, ...row }],
		parameters: { ...calls, ...parameters } as typeof calls,
	});
	const [sent] = received.flatMap(({ body }) => listOf(body, 'conversations'));
	forget();
	return error?.message ?? members(sent)['dynamicVariables'];
}

/** A variable, as a field of the panel. */
const field = (value: string): IDataObject => ({
	dynamicVariables: { variables: [{ name: 'text', value }] },
});

const json = (dynamicVariablesJson: string): IDataObject => ({
	variablesMode: 'json',
	dynamicVariablesJson,
});

const conversation = (text: string): IDataObject => ({
	inputMode: 'json',
	conversationJson: `={"agentId": "${AGENT}", "toPhoneNumber": "{{ $json.phone }}", "dynamicVariables": {"text": ${text}}}`,
});

const FULL = '={{ $json.first + " " + $json.last }}';
const GAP = '{{ $json.first }} is empty, so the text would have a gap';

it.each<[IDataObject, IDataObject, string]>([
	[field(FULL), { first: 'Ana' }, 'gives "Ana undefined", because a value is empty'],
	[field(FULL), { first: null, last: 'Lopez' }, 'gives "null Lopez"'],
	[field('={{ $json.first + $json.last }}'), { first: 'Ana' }, 'gives "Anaundefined"'],
	[field('={{ $json.age * 2 }}'), { age: 'x' }, 'gives "NaN"'],
	[field('={{ $json.age * 2 + " years" }}'), { age: 'x' }, 'gives "NaN years"'],
	[field('={{ "On " + new Date($json.due) }}'), {}, 'gives "On Invalid Date"'],
	[field('={{ new Date($json.due) }}'), {}, 'because a value is empty'],
	[field('={{ DateTime.fromISO($json.due).toFormat("dd LLL") }}'), {}, 'gives "Invalid DateTime"'],
	[field('=Hello {{ $json.first }}!'), { first: '' }, GAP],
	[field('=Hello {{ $json.first }}!'), { first: '#N/A' }, GAP],
	[field('=Hello {{ $json.first ?? "" }}!'), {}, 'would have a gap'],
	[field('={{ "Hello " + $json.first }}'), { first: ' ' }, GAP],
	[field('={{ `Hello ${$json["first"].trim()}!` }}'), { first: '' }, 'would have a gap'],
	[json('={{ { text: "Hello " + $json.first } }}'), { first: '' }, GAP],
	[field('=Hello {{ $json.names }}'), { names: ['Ana', ''] }, 'would have a gap'],
	[field('={{ "How are you, " + $json.first + "?" }}'), { first: '' }, GAP],
	[field('={{ `Hi ${$json.first}?` }}'), { first: null }, 'gives "Hi null?"'],
	[field('={{ "Seats " + $json.emptySeats }}'), { emptySeats: '' }, 'would have a gap'],
	[field('={{ ($json.title || "Dear") + " " + $json.first }}'), { first: '' }, GAP],
	[
		field('={{ ($json.title ? $json.title + " " : "") + $json.first }}'),
		{ title: 'Dr', first: '' },
		GAP,
	],
	[field('={{ "Hi " + $input.all()[0].json.first }}'), { first: '' }, 'would have a gap'],
	[field('={{ "Hi " + $json[`first`] }}'), { first: '' }, 'would have a gap'],
	[field('=Your order "{{ $json.first }}" is ready'), { first: '' }, GAP],
	[json('={"first":"{{ $json.first }}","text":"Hello {{ $json.first }}!"}'), { first: '' }, GAP],
	[json('={{ JSON.stringify({ text: "Hi " + $json.first }) }}'), { first: '' }, GAP],
	[field('={{ "Hello " + ($json.first ?? "there") }}'), { first: '' }, GAP],
	[field('={{ $json.first !== null ? "Hello " + $json.first : "Hi" }}'), {}, GAP],
	[field('={{ "Hello " + $json.first.replace(/\\W/g, "") + "!" }}'), { first: '' }, GAP],
	[field('=Hello {{ $json.who }}'), { who: { first: 'Ana' } }, 'gives "[object Object]"'],
	[field('={{ "Hello " + $json.who }}'), { who: {} }, 'gives "Hello [object Object]"'],
	[json('={{ { text: "Hello " + $json.first } }}'), {}, 'gives "Hello undefined"'],
	[json('={"text": "Hello {{ $json.first }}"}'), { first: '' }, GAP],
	[json('={"text": "{{ $json.first + $json.last }}"}'), { first: 'A' }, 'gives "Aundefined"'],
	[conversation('"Hello {{ $json.first }}"'), { first: '' }, GAP],
	[conversation('"{{ "Hello " + $json.first }}"'), {}, 'gives "Hello undefined"'],
])('says nothing that was made from nothing: %j of %j', async (parameters, row, reason) => {
	expect(await run(row, parameters)).toEqual(expect.stringContaining(reason));
});

it.each<[IDataObject, IDataObject, unknown]>([
	// The text of a column.
	[field('={{ $json.note }}'), { note: 'null' }, 'null'],
	[field('=Note: {{ $json.note }}'), { note: 'null' }, 'Note: null'],
	[json('={"text": "{{ $json.note }}"}'), { note: 'null' }, 'null'],
	[field('={{ $json.note + "!" }}'), { note: 'null and NaN' }, 'null and NaN!'],
	[field('={{ $json.note.trim() }}'), { note: '' }, ''],
	[field('={{ $json.note ? "Note: " + $json.note : "No note" }}'), { note: '' }, 'No note'],
	[json('={{ JSON.stringify({ text: "a", city: $json.city }) }}'), {}, 'a'],
	// A part that is meant to be empty.
	[
		field('=You have {{ $json.n }} order{{ $json.n === 1 ? "" : "s" }}'),
		{ n: 1 },
		'You have 1 order',
	],
	[field('=Hello Ana{{ $json.vip ? " (VIP)" : "" }}'), { vip: false }, 'Hello Ana'],
	[field('=Hello{{ $json.first ? " " + $json.first : "" }}!'), { first: '' }, 'Hello!'],
	[json('={"text":"a"{{ $json.vip ? \',"vip":"yes"\' : \'\' }}}'), { vip: '' }, 'a'],
	[
		field('={{ $json.first ? "Hi " + $json.first + " of " + $json.company : "Hello" }}'),
		{ first: '', company: '' },
		'Hello',
	],
	[field('={{ $json.first?.trim() || "there" }}'), { first: '' }, 'there'],
	[field('={{ "Hi " + ($json.first.trim() || "there") }}'), { first: '' }, 'Hi there'],
	[field('={{ [$json.first, $json.last].filter(Boolean).join(" ") }}'), { first: 'Ana' }, 'Ana'],
	[field('={{ $json.tags.includes("vip") ? "VIP" : "Guest" }}'), { tags: ['a', ''] }, 'Guest'],
	[field('={{ $if($json.name.isEmpty(), "Hi", "Hi " + $json.name) }}'), { name: '' }, 'Hi'],
	[json('={{ { text: "a", note: $json.note?.trim() } }}'), {}, 'a'],
	[json('={"text": "a", "note": {{ JSON.stringify($json.note) }} }'), { note: '' }, 'a'],
	[field('={{ $json.name?.split(" ")[0] ?? "there" }}'), { name: null }, 'there'],
	[field('={{ $json.name.length > 0 ? $json.name : "there" }}'), { name: '' }, 'there'],
	// The error of a formula is an empty cell.
	[field('={{ $json.first }}'), { first: '#N/A' }, ''],
	[json('={"text": "{{ $json.first }}"}'), { first: '#VALUE!' }, ''],
	// A text of the user.
	[field('={{ "Es sind null Euro, " + $json.first }}'), { first: 'Ana' }, 'Es sind null Euro, Ana'],
	[field('undefined'), {}, 'undefined'],
	[field('=Es sind null Euro, {{ $json.first }}'), { first: 'Ana' }, 'Es sind null Euro, Ana'],
	// An empty cell that is the whole value.
	[field('={{ $json.note }}'), { note: '' }, ''],
	[field('={{ $json.note }}'), {}, ''],
	[json('={"text": "{{ $json.note }}"}'), { note: '' }, ''],
	// A value of JSON.
	[field('={{ $json.visits }} visits'), { visits: 0 }, '0 visits'],
	[json('={{ { text: $json.visits } }}'), { visits: null }, null],
	[json('={{ JSON.stringify({ text: $json.visits }) }}'), { visits: null }, null],
	[json('={"text": null, "first": "{{ $json.first }}"}'), { first: 'Ana' }, null],
	[conversation('{{ JSON.stringify($json.visits) }}'), { visits: [null] }, [null]],
])('says what was entered: %j of %j', async (parameters, row, text) => {
	expect(await run(row, parameters)).toMatchObject({ text });
});

const columns = { variablesMode: 'columns' };

it('does not choose between two columns whose names differ in a blank', async () => {
	expect(await run({ Name: 'Ana', 'Name ': 'Bo' }, columns)).toContain(
		"'Input' has the column 'Name' twice, because two names differ only in blanks",
	);
});

it('says nothing to a person of whom a required column is empty', async () => {
	const required = { ...columns, safeguards: { requiredVariables: 'first, city' } };
	expect(await run({ first: 'Ana', city: 'Rome' }, required)).toMatchObject({ city: 'Rome' });
	expect(await run({ first: 'Ana', city: ' ' }, required)).toContain("has no value for 'city'");
});
