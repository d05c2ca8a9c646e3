import type { INodeExecutionData } from 'n8n-workflow';
import type { Observed } from './observe';
import type { Cell, End, Expected } from './rules';
import { isBad } from './rules';
import { TICKETS } from './subjects';

/** Says everything in which a cell is not what the rules expect. */
export function judge(cell: Cell, observed: Observed, expected: Expected): string[] {
	return [
		...judgeWire(observed, expected),
		...judgeStore(cell, observed, expected.ends),
		...(cell.subject.shape === 'pages' ? judgeSearch : judgeRows)(cell, observed, expected.ends),
		...judgeSecrets(observed),
	];
}

const differs = (what: string, actual: unknown, wanted: unknown): string[] =>
	JSON.stringify(actual) === JSON.stringify(wanted)
		? []
		: [`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`];

const MAX_WAIT = 3_600_000;
/** The clock of a run also advances during its work, so the waits are slightly shorter. */
const TOLERANCE = 1_000;

function judgeWire({ received, crossing, elsewhere }: Observed, expected: Expected): string[] {
	return [
		...differs('requests that the sandbox received', received, expected.received),
		...differs('connections', crossing.connections, expected.sent),
		...differs('hosts', [...crossing.hosts], ['localhost']),
		...differs('requests to another host', elsewhere, 0),
		...(crossing.waited >= expected.minWaitMs - TOLERANCE && crossing.waited < MAX_WAIT
			? []
			: [`waited ${crossing.waited} ms, of which the service asked for ${expected.minWaitMs}`]),
	];
}

/** Nothing is stored twice; what was accepted is stored, and what was rejected or not sent is not. */
function judgeStore(
	{ subject, tries }: Cell,
	{ rows, stored, calls }: Observed,
	ends: readonly End[],
): string[] {
	if (subject.shape !== 'batches') return [];
	const timesOf = (row: Observed['rows'][number]): number =>
		subject.calls === 'createConversations'
			? (calls[String(row['phone'])] ?? 0)
			: stored.has(String(row['identifier']))
				? Math.max(1, stored.get(String(row['identifier']))?.inserts ?? 0)
				: 0;
	const refused = [...stored.values()].filter(({ refusals }) => refusals > 0).length;
	return [
		...differs('customers that came a second time', refused, 0),
		...rows.flatMap((row, i) => {
			const times = timesOf(row);
			const end = ends[i];
			// A try may fail with an upsert that an earlier one stored.
			const isOpen = end === 'unknown' || (subject.idempotent && tries > 1);
			const fine = end === 'accepted' ? times === 1 : times <= Number(isOpen);
			return fine ? [] : [`row ${i + 1} is ${end ?? 'nothing'} and stored ${times} times`];
		}),
	];
}

const textOf = ({ json }: INodeExecutionData): string => String(json['error'] ?? '');

const isError = ({ json }: INodeExecutionData): boolean => json['error'] !== undefined;

/** The items of successful rows and the errors of failed rows, from both outputs. */
function sides({ onError }: Cell, { main, errors }: Observed) {
	return onError === 'continueErrorOutput'
		? { good: main, bad: errors, stray: main.filter(isError).length }
		: {
				good: main.filter((item) => !isError(item)),
				bad: main.filter(isError),
				stray: errors.length,
			};
}

function judgeRows(cell: Cell, observed: Observed, ends: readonly End[]): string[] {
	if (cell.onError === 'stopWorkflow' && ends.some(isBad)) return judgeError(cell, observed);
	const { good, bad, stray } = sides(cell, observed);
	const endOf = (row: number): unknown[] => [
		...rowsOf(good).flatMap((at, i) => (at === row ? (good[i]?.json['outcome'] ?? 'read') : [])),
		...rowsOf(bad).flatMap((at, i) => (at === row ? readOutcome(bad[i]) : [])),
	];
	return [
		...differs('error of the execution', observed.error?.message, undefined),
		...differs('items in the wrong output', stray, 0),
		...ends.flatMap((end, row) => differs(`row ${row + 1}`, endOf(row), [end])),
		...bad.flatMap((item) => judgeText(cell, textOf(item))),
	];
}

const readOutcome = (item: INodeExecutionData | undefined): unknown => {
	const details = item?.json['details'];
	return typeof details === 'object' && details !== null && 'outcome' in details
		? details.outcome
		: 'failed';
};

/** The row of each item, or NaN for an item of several rows. */
const rowsOf = (items: readonly INodeExecutionData[]): number[] =>
	items.map(({ pairedItem }) =>
		typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : NaN,
	);

/** The one error of a node that stops. */
function judgeError(cell: Cell, { main, errors, error }: Observed): string[] {
	return [
		...differs('output', [main.length, errors.length], [0, 0]),
		...judgeText(cell, `${error?.message ?? ''}\n${error?.description ?? ''}`),
	];
}

/** All tickets once; or those before the failure, none of them twice, and one error. */
function judgeSearch(cell: Cell, observed: Observed, [end]: readonly End[]): string[] {
	const failed = isBad(end);
	if (cell.onError === 'stopWorkflow' && failed) return judgeError(cell, observed);
	const { good, bad, stray } = sides(cell, observed);
	const numbers = good.map(({ json }) => Number(json['ticketNumber'])).sort((a, b) => a - b);
	const all = Array.from({ length: TICKETS }, (_, i) => i + 1);
	const some = end === 'failed' ? numbers.length === 0 : numbers.length > 0;
	return [
		...differs('error of the execution', observed.error?.message, undefined),
		...differs('items in the wrong output', stray, 0),
		...differs('errors', bad.length, failed ? 1 : 0),
		...differs('tickets that came twice', numbers.length - new Set(numbers).size, 0),
		...(failed
			? some && numbers.every((number) => all.includes(number))
				? []
				: [`${numbers.length} tickets came with the error`]
			: differs('tickets', numbers, all)),
		...bad.flatMap((item) => judgeText(cell, textOf(item))),
	];
}

/** The reasons of unsent rows: the service asked for a long pause, or rejected three requests alike. */
const HELD =
	/asked to wait longer than there was time|the service rejected 3 requests for the same reason/;

function judgeText({ fault }: Cell, text: string): string[] {
	const mayBeHeld = fault.asksTooMuch === true || ['tooLarge', 'notFound'].includes(fault.proves);
	if (fault.says.test(text) || (mayBeHeld && HELD.test(text))) return [];
	return [`the text does not say ${String(fault.says)}: ${text}`];
}

const SECRETS = ['sandbox-key', 'sandbox-token'];

function judgeSecrets({ run, hints }: Observed): string[] {
	const all = JSON.stringify([run, hints]);
	return SECRETS.filter((secret) => all.includes(secret)).map((secret) => `${secret} is shown`);
}
