import type { Fault, Proof } from './faults';
import type { Subject } from './subjects';
import { BATCH } from './subjects';

// The second opinion: what has to happen, written down from the promises and not from the code.

/** The maximum number of sendings of a request; a read waits longer for a service that limits requests. */
const maxSendings = ({ proves }: Fault, { shape }: Subject): number =>
	proves === 'limited' && shape !== 'batches' ? 12 : 5;

/**
 * The outcome of a row, in the words of the node. A row that only reads is `read` or `failed`. It is `brokenOff` if pages
 * were read before one failed: the tickets so far and an error.
 */
export type End = 'accepted' | 'rejected' | 'unknown' | 'notSent' | 'read' | 'failed' | 'brokenOff';

const written: Readonly<Record<Proof, End>> = {
	neverSent: 'notSent',
	limited: 'notSent',
	tooLarge: 'rejected',
	// No row is at fault for a wrong key or address.
	refused: 'notSent',
	denied: 'notSent',
	notFound: 'notSent',
	unclear: 'unknown',
	unreadable: 'unknown',
	// An empty body names no job of customers.
	empty: 'unknown',
	nothing: 'accepted',
};

/** The outcome of the rows of a request that ends with a fault. */
export function endOf({ proves }: Fault, { shape, calls }: Subject): End {
	if (shape !== 'batches') return proves === 'nothing' ? 'read' : 'failed';
	if (proves === 'empty' && calls === 'createConversations') return 'accepted';
	return written[proves];
}

/** Whether the node repeats a request after a fault. */
function goesAgain(fault: Fault, { idempotent }: Subject): boolean {
	if (fault.proves === 'neverSent') return fault.passes === true;
	if (fault.proves === 'limited') return fault.asksTooMuch !== true;
	return fault.proves === 'unclear' && idempotent;
}

/** One cell of the matrix. */
export interface Cell {
	readonly subject: Subject;
	readonly fault: Fault;
	readonly at: 'first' | 'middle' | 'last';
	/** Whether only one sending is hit, or that one and all that follow. */
	readonly lasting: 'once' | 'for good';
	readonly onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	readonly tries: 1 | 3;
}

/** The expected results of a cell. */
export interface Expected {
	/** Sendings that reached the service, and all that were tried. */
	readonly received: number;
	readonly sent: number;
	/** The outcome of each row in order; a search has only one. */
	readonly ends: readonly End[];
	/** The minimum total pause that the service requests. */
	readonly minWaitMs: number;
}

/** Whether a row counts as failed. */
export const isBad = (end: End | undefined): boolean => end !== 'accepted' && end !== 'read';

/** The number of the request that is hit, from 1; `requests` is the total when nothing fails. */
export const numberOf = ({
	at,
	requests,
}: Pick<Cell, 'at'> & { readonly requests: number }): number =>
	({ first: 1, middle: Math.ceil(requests / 2), last: requests })[at];

/** Plays a cell by the rules; `requests` is the number of requests when nothing fails. */
export function play(cell: Cell, requests: number): Expected {
	const { subject, fault, lasting, tries, onError } = cell;
	const place = numberOf({ at: cell.at, requests });
	const byRow = subject.shape === 'rows' && fault.fate === undefined;
	let sent = 0;
	let received = 0;
	let hits = 0;
	let minWaitMs = 0;
	/** Whether the service asked for too long a pause, or denied access; this holds for the whole run. */
	let isHeld = false;

	const isHit = (row: number): boolean => {
		if (lasting === 'for good') return byRow ? row + 1 >= place : sent >= place;
		return hits === 0 && (byRow ? row + 1 === place : sent === place);
	};

	/** Sends one request until it is over; `row` counts from 0. */
	function send(row: number): End {
		if (isHeld) return subject.shape === 'batches' ? 'notSent' : 'failed';
		for (let sending = 1; ; sending++) {
			sent += 1;
			const hit = isHit(row);
			if (hit) hits += 1;
			isHeld ||= hit && (fault.asksTooMuch === true || fault.proves === 'denied');
			if (!hit || fault.fate === undefined) received += 1;
			if (!hit) return subject.shape === 'batches' ? 'accepted' : 'read';
			if (!goesAgain(fault, subject) || sending === maxSendings(fault, subject))
				return endOf(fault, subject);
			minWaitMs = Math.max(minWaitMs, fault.asks ?? 0);
		}
	}

	const pages = (): End => {
		for (let page = 1; page <= requests; page++) {
			if (send(0) === 'failed') return page === 1 ? 'failed' : 'brokenOff';
		}
		return 'read';
	};

	function batches(ends: End[]): void {
		/** The rows of requests that were rejected as a whole before any was accepted; three of them end the run. */
		const refused: Array<readonly number[]> = [];
		let hasAccepted = false;
		// A further try sends all upserts again, because nothing remembers them.
		const waiting = ends.flatMap((end, row) =>
			subject.idempotent || end === 'rejected' || end === 'notSent' ? row : [],
		);
		let max = BATCH;
		const sendBatch = (rows: readonly number[]): void => {
			if (refused.length === 3) {
				for (const row of rows) ends[row] = 'notSent';
				return;
			}
			const half = Math.ceil(rows.length / 2);
			const before = hits;
			const end = rows.length > max ? undefined : send(rows[0] ?? 0);
			const tooLarge = fault.proves === 'tooLarge' && hits > before && rows.length > 1;
			if (end !== undefined && !tooLarge) {
				for (const row of rows) ends[row] = end;
				hasAccepted ||= end === 'accepted';
				const isRefusal = end === 'rejected' || fault.proves === 'notFound';
				if (isRefusal && end !== 'accepted' && !hasAccepted) refused.push(rows);
				if (refused.length === 3) for (const row of refused.flat()) ends[row] = 'notSent';
				return;
			}
			// Too large: this batch is halved, and so are the later ones.
			max = Math.min(max, half);
			sendBatch(rows.slice(0, half));
			sendBatch(rows.slice(half));
		};
		for (let i = 0; i < waiting.length; i += BATCH) sendBatch(waiting.slice(i, i + BATCH));
	}

	const count = subject.rows(['', '', '']).length;
	let ends: End[] = new Array<End>(count).fill('notSent');
	for (let run = 1; run <= tries; run++) {
		isHeld = false;
		if (subject.shape === 'pages') ends = [pages()];
		else if (subject.shape === 'rows') ends = ends.map((_, row) => send(row));
		else batches(ends);
		// n8n runs a node again when it throws, or when its first item is an error.
		const [first] = ends;
		const again =
			onError === 'stopWorkflow' ? ends.some(isBad) : isBad(first) && first !== 'brokenOff';
		if (!again) break;
	}
	return { received, sent, ends, minWaitMs };
}
