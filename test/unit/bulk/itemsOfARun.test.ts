import { z } from 'zod/v4';
import type { BulkOperation, SendSettings } from '../../../src/bulk/operation';
import { toLeftOut } from '../../../src/bulk/outcomes';
import type { RowsRead, Rule } from '../../../src/bulk/plan';
import { runInBulk } from '../../../src/bulk/run';
import { describeFailure } from '../../../src/core/describeFailure';
import { fakeRuntime, lost, reply, type Script } from '../../support/fakeRuntime';

const BROKEN = { problems: [{ path: ['name'], reason: 'is empty', value: '' }] };
const ROWS = [
	{ content: 'ann' },
	{ content: 'bob', reason: 'Sent in part' },
	{ content: 'cat' },
	{ ...BROKEN, entered: { name: '' } },
	{ content: 'dan' },
];
const SETTINGS: SendSettings = {
	batchSize: 1,
	parallelRequests: 1,
	pauseMs: 0,
	timeoutMs: 1000,
	duplicates: 'keepFirst',
	invalidRows: 'sendValid',
	dryRun: false,
	asTool: false,
	includeResponse: false,
};

/** Leaves dan out, as a setting of the user does. */
const withoutDan: Rule<string> = ({ entries }) => {
	const dan = entries.filter(({ content }) => content === 'dan');
	const outcome = toLeftOut('doNotCall', 'Dan says no', { until: 'noon' });
	return { leaveOut: new Map(dan.map((entry) => [entry, outcome])), facts: { fact: 1 } };
};

interface Sending {
	readonly rows?: RowsRead<string>['rows'];
	readonly stop?: string;
	readonly rules?: ReadonlyArray<Rule<string>>;
}

/** Runs an operation that sends names: its items and failures, a line each, and its sentences. */
async function run(script: Script, changed: Partial<SendSettings> = {}, sending: Sending = {}) {
	const { rows = ROWS, rules = [withoutDan], stop } = sending;
	const operation: BulkOperation<string, SendSettings> = {
		settings: z.custom<SendSettings>(),
		words: { one: 'name', many: 'names', send: 'send', sent: 'sent', accepted: 'stored' },
		describeAudience: () => '',
		read: async () => ({ rows, stop, notes: ['A note'] }),
		identityOf: (name) => name,
		openSafeguards: () => ({ rules }),
		toRequest: (names) => ({ method: 'POST', path: '/names', body: { names }, idempotent: false }),
		readOutcomes: (accepted, names) => names.map(() => accepted),
		fields: [],
		toFields: (name) => ({ name }),
		toPreview: (name) => ({ name, shown: true }),
	};
	const parameters = { ...SETTINGS, ...changed };
	const { context } = fakeRuntime(script);
	const result = await runInBulk(operation)(
		{ settings: { parameters }, rows: [], count: 0 },
		context(),
	);
	const lines = result.rows.flatMap(({ items, failure, failureItem, isShown = false }) => [
		...items.map((item) => JSON.stringify(item)),
		...(failure
			? [
					`${JSON.stringify(failureItem)} ${isShown ? 'shown' : 'fails'}: ${describeFailure(failure, String).message}`,
				]
			: []),
	]);
	const { summary, notes = [], happened = 'nothing to report' } = result;
	return [`${happened} | ${[summary, ...notes].join(' | ')}`, ...lines];
}

const answer: Script = ({ body }) =>
	JSON.stringify(body).includes('cat') ? reply(409, { message: 'no cat' }) : reply(200, { ok: 1 });

it('shows each row with its outcome, its reason, and its request', async () => {
	expect(await run(answer, { includeResponse: true })).toEqual([
		'2 names were sent | 5 rows, 3 requests: 2 stored, 1 rejected before sending, 1 rejected by the service, 1 marked do not call | A note | Row 2: sent in part. The column reason says why',
		'{"row":1,"outcome":"accepted","reason":"Sent","name":"ann","response":{"ok":1}}',
		'{"row":2,"outcome":"accepted","reason":"Sent in part","name":"bob","response":{"ok":1}}',
		'{"row":3,"outcome":"rejected","code":"rejected","name":"cat","request":3} fails: The service rejected the request (409: no cat)',
		'{"row":4,"outcome":"rejected","code":"invalid","name":""} shown: \'name\' "" is empty',
		'{"row":5,"outcome":"notSent","code":"doNotCall","name":"dan","request":null,"until":"noon"} shown: Dan says no',
	]);
});

it('shows in a dry run what would be sent, and fails no row', async () => {
	const dry = { dryRun: true, batchSize: 2 };
	expect(await run(answer, dry)).toEqual([
		'nothing to report | Dry run: 3 names would be sent | 1 rejected before sending · 1 marked do not call | A note | Row 2: sent in part. The column reason says why',
		'{"row":1,"outcome":"wouldSend","reason":"Would be sent","name":"ann","shown":true,"request":1,"dryRun":true,"fact":1}',
		'{"row":2,"outcome":"wouldSend","reason":"Sent in part","name":"bob","shown":true,"request":1,"dryRun":true,"fact":1}',
		'{"row":3,"outcome":"wouldSend","reason":"Would be sent","name":"cat","shown":true,"request":2,"dryRun":true,"fact":1}',
		'{"row":4,"outcome":"rejected","code":"invalid","name":"","dryRun":true,"fact":1} shown: \'name\' "" is empty',
		'{"row":5,"outcome":"notSent","reason":"Dan says no","name":"dan","shown":true,"code":"doNotCall","until":"noon","dryRun":true,"fact":1}',
	]);
});

it('names in each row the reason that stops a run', async () => {
	const rows = [{ content: 'ann' }, {}, BROKEN];
	const sending = { rows, stop: 'the house burns', rules: [] };
	expect(await run(answer, {}, sending)).toEqual([
		'0 names were sent | 3 rows, 0 requests: 1 rejected before sending, 2 not sent | A note',
		'{"row":1,"outcome":"notSent","code":"stopped","name":"ann","request":null} fails: Not sent, because the house burns',
		'{"row":2,"outcome":"notSent","code":"stopped"} fails: Not sent, because the house burns',
		'{"row":3,"outcome":"rejected","code":"invalid"} shown: \'name\' "" is empty',
	]);
	expect(await run(answer, { dryRun: true }, sending)).toEqual([
		'nothing to report | Dry run: nothing would be sent, because the house burns. | 1 rejected before sending | A note',
		'{"row":1,"outcome":"notSent","code":"stopped","reason":"Nothing would be sent. The hint says why","name":"ann","shown":true,"dryRun":true}',
		'{"row":2,"outcome":"notSent","code":"stopped","reason":"Nothing would be sent. The hint says why","dryRun":true}',
		'{"row":3,"outcome":"rejected","code":"invalid","dryRun":true} shown: \'name\' "" is empty',
	]);
});

it('notes the reason that stops a run which no row can name', async () => {
	expect(await run(answer, {}, { rows: [BROKEN], stop: 'the house burns', rules: [] })).toEqual([
		'nothing to report | 1 row, 0 requests: 1 rejected before sending | A note | Nothing may be sent, because the house burns',
		'{"row":1,"outcome":"rejected","code":"invalid"} shown: \'name\' "" is empty',
	]);
});

it('stops before sending for one invalid row, if the user chose so', async () => {
	expect(await run(answer, { invalidRows: 'stop' })).toEqual([
		'0 names were sent | 5 rows, 0 requests: 1 rejected before sending, 1 marked do not call, 3 not sent | A note',
		'{"row":1,"outcome":"notSent","code":"stopped","name":"ann","request":null} fails: Not sent, because one row is invalid. Correct the input, or set \'If Rows Are Invalid\' to \'Send the Valid Rows\'',
		'{"row":2,"outcome":"notSent","code":"stopped","name":"bob","request":null} fails: Not sent, because one row is invalid. Correct the input, or set \'If Rows Are Invalid\' to \'Send the Valid Rows\'',
		'{"row":3,"outcome":"notSent","code":"stopped","name":"cat","request":null} fails: Not sent, because one row is invalid. Correct the input, or set \'If Rows Are Invalid\' to \'Send the Valid Rows\'',
		'{"row":4,"outcome":"rejected","code":"invalid","name":""} fails: \'name\' "" is empty',
		'{"row":5,"outcome":"notSent","code":"doNotCall","name":"dan","request":null,"until":"noon"} shown: Dan says no',
	]);
});

it('fails for no invalid row with Send the Valid Rows, also if it is the only one', async () => {
	expect(await run(answer, {}, { rows: [BROKEN] })).toEqual([
		'nothing to report | 1 row, 0 requests: 1 rejected before sending | A note',
		'{"row":1,"outcome":"rejected","code":"invalid"} shown: \'name\' "" is empty',
	]);
});

it('counts one person in the singular, and no one where that is not certain', async () => {
	const headline = async (script: Script, count: number) =>
		(await run(script, {}, { rows: ROWS.slice(0, count) }))[0];
	expect(await headline(answer, 1)).toMatch(/^1 name was sent \|/);
	expect(await headline(() => lost(), 2)).toMatch(/^nothing to report \|/);
});
