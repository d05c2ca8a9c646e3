import { z } from 'zod/v4';
import type { BulkOperation, SendSettings } from '../../../src/bulk/operation';
import { toLeftOut } from '../../../src/bulk/outcomes';
import type { Guard, RowsRead } from '../../../src/bulk/plan';
import { runInBulk } from '../../../src/bulk/run';
import { describeFailure } from '../../../src/core/describeFailure';
import { fakeRuntime, lost, neverSent, reply, type Script } from '../../support/fakeRuntime';

const BROKEN = { problems: [{ path: ['name'], reason: 'is empty', value: '' }] };
const ROWS = [
	{ contents: ['ann'] },
	{ contents: ['bob', 'cat'], reason: 'Sent in part' },
	{ contents: [], ...BROKEN, entered: { name: '' } },
	{ contents: ['dan'] },
];
const SETTINGS: SendSettings = {
	...{ batchSize: 1, parallelRequests: 1, pauseMs: 0, timeoutMs: 1000, duplicates: 'sendAll' },
	...{ invalidRows: 'sendValid', dryRun: false, outputAs: 'rows', includeResponse: false },
};

/** Leaves dan out, as a setting of the user does. */
const withoutDan: Guard<string> = {
	open: ({ entries }) => {
		const dan = entries.filter(({ content }) => content === 'dan');
		const outcome = toLeftOut('Not sent, because of dan', 'left out', { until: 'noon' });
		return { leaveOut: new Map(dan.map((entry) => [entry, outcome])), facts: { fact: 1 } };
	},
};
const unchangedAnn: Guard<string> = {
	open: ({ entries }) => ({
		leaveOut: new Map(entries.slice(0, 1).map((entry) => [entry, { outcome: 'unchanged' }])),
	}),
};

interface Sending {
	readonly rows?: RowsRead<string>['rows'];
	readonly stop?: string;
	readonly guards?: ReadonlyArray<Guard<string>>;
}

/** Runs an operation that sends names: its items and failures, a line each, and its sentences. */
async function run(script: Script, changed: Partial<SendSettings> = {}, sending: Sending = {}) {
	const { rows = ROWS, guards = [withoutDan], stop } = sending;
	const operation: BulkOperation<string, SendSettings> = {
		settings: z.custom<SendSettings>(),
		words: { one: 'name', many: 'names', send: 'send', sent: 'sent' },
		read: async () => ({ rows, stop, notes: ['A note'] }),
		identityOf: (name) => name,
		guards: () => guards,
		toRequest: (names) => ({ method: 'POST', path: '/names', body: { names }, idempotent: false }),
		toFields: (name) => ({ name }),
		toPreview: (name) => ({ name, shown: true }),
		toRunFields: () => ({ field: 2 }),
	};
	const parameters = { ...SETTINGS, ...changed };
	const { context } = fakeRuntime(script);
	const result = await runInBulk(operation)({ settings: { parameters }, rows: [] }, context());
	const lines = result.rows.flatMap(({ items, failure, failureItem, isShown = false }) => [
		...items.map((item) => JSON.stringify(item)),
		...(failure
			? [
					`${JSON.stringify(failureItem)} ${isShown ? 'shown' : 'fails'}: ${describeFailure(failure, String).message}`,
				]
			: []),
	]);
	const { summary, notes = [], happened = 'nothing to report', runItem } = result;
	const ofRun = runItem ? [JSON.stringify(runItem)] : [];
	return [`${happened} | ${[summary, ...notes].join(' | ')}`, ...ofRun, ...lines];
}

const answer: Script = ({ body }) =>
	JSON.stringify(body).includes('cat') ? reply(404, { message: 'no cat' }) : reply(200, { ok: 1 });

it('shows each row with its outcome, its reason, and its request', async () => {
	expect(await run(answer, { includeResponse: true })).toEqual([
		'2 names were sent | 4 rows, 3 requests: 2 accepted, 1 rejected by the service, 1 rejected before sending, 1 left out | A note',
		'{"row":1,"outcome":"accepted","reason":"Sent","name":"ann","response":{"ok":1}}',
		'{"row":2,"outcome":"accepted","reason":"Sent in part","name":"bob","response":{"ok":1}}',
		'{"row":2,"outcome":"rejected","name":"cat","request":3,"counts":{"accepted":1,"rejected":1},"failed":[{"index":1,"outcome":"rejected"}]} fails: The service does not know this request (404: no cat, POST /names)',
		'{"row":3,"outcome":"rejected","name":""} shown: \'name\' "" is empty',
		'{"row":4,"outcome":"notSent","name":"dan","request":null,"until":"noon"} shown: Not sent, because of dan',
	]);
});

it('shows in a dry run what would be sent, and fails no row', async () => {
	const dry = { dryRun: true, batchSize: 2 };
	expect(await run(answer, dry)).toEqual([
		'nothing to report | Dry run: 3 names would be sent in 2 requests. Turn off Dry Run to send them. | 1 rejected before sending · 1 left out | A note',
		'{"row":1,"outcome":"wouldSend","reason":"Would be sent","name":"ann","shown":true,"request":1,"dryRun":true}',
		'{"row":2,"outcome":"wouldSend","reason":"Sent in part","name":"bob","shown":true,"request":1,"dryRun":true}',
		'{"row":2,"outcome":"wouldSend","reason":"Sent in part","name":"cat","shown":true,"request":2,"dryRun":true}',
		'{"row":3,"outcome":"rejected","name":"","dryRun":true} shown: \'name\' "" is empty',
		'{"row":4,"outcome":"notSent","reason":"Not sent, because of dan","name":"dan","shown":true,"until":"noon","dryRun":true}',
	]);
	expect((await run(answer, { ...dry, outputAs: 'run' })).slice(0, 2)).toEqual([
		'nothing to report | Dry run: 3 names would be sent in 2 requests. Turn off Dry Run to send them. | 1 rejected before sending · 1 left out | A note',
		'{"dryRun":true,"rows":4,"wouldSend":3,"unchanged":0,"unknown":0,"notSent":1,"rejected":1,"fact":1,"field":2,"reasons":[{"outcome":"rejected","reason":"\'Name\' is empty","count":1},{"outcome":"notSent","reason":"left out","count":1}]}',
	]);
});

it('names in each row the reason that stops a run', async () => {
	const rows = [{ contents: ['ann'] }, { contents: [] }, { contents: [], ...BROKEN }];
	const sending = { rows, stop: 'the house burns', guards: [] };
	expect(await run(answer, {}, sending)).toEqual([
		'0 names were sent | 3 rows, 0 requests: 1 rejected before sending, 1 not sent | A note',
		'{"row":1,"outcome":"notSent","name":"ann","request":null} fails: Not sent, because the house burns',
		'{"row":2,"outcome":"notSent"} fails: Not sent, because the house burns',
		'{"row":3,"outcome":"rejected"} shown: \'name\' "" is empty',
	]);
	expect(await run(answer, { dryRun: true }, sending)).toEqual([
		'nothing to report | Dry run: nothing would be sent, because the house burns. | 1 rejected before sending | A note',
		'{"row":1,"outcome":"notSent","reason":"Nothing would be sent. The hint says why","name":"ann","shown":true,"dryRun":true}',
		'{"row":2,"outcome":"notSent","reason":"Nothing would be sent. The hint says why","dryRun":true}',
		'{"row":3,"outcome":"rejected","dryRun":true} shown: \'name\' "" is empty',
	]);
	expect((await run(answer, { outputAs: 'run' }, sending))[1]).toBe(
		'{"rows":3,"requests":0,"accepted":0,"unchanged":0,"unknown":0,"notSent":2,"rejected":1,"field":2,"reasons":[{"outcome":"rejected","reason":"\'Name\' is empty","count":1},{"outcome":"notSent","reason":"Not sent, because the house burns","count":1}],"reasonNotToSend":"Not sent, because the house burns"}',
	);
});

it('stops before sending for one invalid row, if the user chose so, and fails if all are', async () => {
	expect(await run(answer, { invalidRows: 'stop' })).toEqual([
		'0 names were sent | 4 rows, 0 requests: 1 rejected before sending, 3 not sent, 1 left out | A note',
		'{"row":1,"outcome":"notSent","name":"ann","request":null} fails: Not sent, because one row is invalid. Correct the input, or set \'If Rows Are Invalid\' to \'Send the Valid Rows\'',
		'{"row":2,"outcome":"notSent","name":"bob","request":null,"counts":{"notSent":2},"failed":[{"index":0,"outcome":"notSent"},{"index":1,"outcome":"notSent"}]} fails: Not sent, because one row is invalid. Correct the input, or set \'If Rows Are Invalid\' to \'Send the Valid Rows\'',
		'{"row":3,"outcome":"rejected","name":""} fails: \'name\' "" is empty',
		'{"row":4,"outcome":"notSent","name":"dan","request":null,"until":"noon"} shown: Not sent, because of dan',
	]);
	expect(await run(answer, {}, { rows: [{ contents: [], ...BROKEN }] })).toEqual([
		'nothing to report | 1 row, 0 requests: 1 rejected before sending | A note',
		'{"row":1,"outcome":"rejected"} fails: \'name\' "" is empty',
	]);
});

it('reports the worst outcome of a row: unknown before rejected before not sent', async () => {
	const script: Script = ({ body }) =>
		JSON.stringify(body).includes('ann') ? lost() : neverSent();
	const rows = [{ contents: ['bob', 'ann'] }, { contents: ['eve'] }];
	expect(await run(script, {}, { rows })).toEqual([
		'nothing to report | 2 rows, 3 requests: 1 unknown (may have arrived), 2 not sent | A note',
		'{"row":1,"outcome":"unknown","name":"ann","request":2,"counts":{"notSent":1,"unknown":1},"failed":[{"index":0,"outcome":"notSent"},{"index":1,"outcome":"unknown"}]} fails: The connection broke before a response came (ECONNRESET, POST /names). The service may have received the request',
		'{"row":2,"outcome":"notSent","name":"eve","request":3} fails: The service refused the connection (ECONNREFUSED). Nothing was sent',
	]);
});

it('counts one person in the singular', async () => {
	expect((await run(answer, {}, { rows: ROWS.slice(0, 1) }))[0]).toMatch(/^1 name was sent \|/);
});

it('says in words that a row is unchanged', async () => {
	const sending = { rows: ROWS.slice(0, 1), guards: [unchangedAnn] };
	expect(await run(answer, {}, sending)).toEqual([
		'nothing to report | 1 row, 0 requests: 1 unchanged | A note',
		'{"row":1,"outcome":"unchanged","reason":"The service has it already","name":"ann"}',
	]);
});

it('counts all outcomes in the one item, with the commonest reasons', async () => {
	expect(await run(answer, { outputAs: 'run' })).toEqual([
		'2 names were sent | 4 rows, 3 requests: 2 accepted, 1 rejected by the service, 1 rejected before sending, 1 left out | A note',
		'{"rows":4,"requests":3,"accepted":2,"unchanged":0,"unknown":0,"notSent":1,"rejected":2,"fact":1,"field":2,"reasons":[{"outcome":"rejected","reason":"\'Name\' is empty","count":1},{"outcome":"rejected","reason":"The service does not know this request (404: no cat, POST /names)","count":1},{"outcome":"notSent","reason":"left out","count":1}]}',
		'{"row":2,"outcome":"rejected","name":"cat","request":3,"counts":{"accepted":1,"rejected":1},"failed":[{"index":1,"outcome":"rejected"}]} fails: The service does not know this request (404: no cat, POST /names)',
		'{"row":3,"outcome":"rejected","name":""} shown: \'name\' "" is empty',
		'{"row":4,"outcome":"notSent","name":"dan","request":null,"until":"noon"} shown: Not sent, because of dan',
	]);
});
