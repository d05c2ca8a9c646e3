import type { Runtime } from '../../src/core/client';
import { createClient } from '../../src/core/client';
import type { DedupeStore, StoredTexts } from '../../src/core/dedupeStore';
import type { OperationContext, Ledger } from '../../src/core/operation';
import { fail, ok } from '../../src/core/result';
import type { HttpResult, NoResponse, HttpResponse, Request } from '../../src/core/http';
import { macrotask } from './macrotask.mjs';

/** A request as it went over the wire: its body has been JSON, and `at` is the virtual time in ms. */
export interface Sent {
	readonly method: string;
	readonly path: string;
	readonly body: unknown;
	readonly at: number;
	readonly timeoutMs?: number | undefined;
}

/** The response of the scripted service to a sending; `number` counts all sendings from 1. */
export type Script = (sent: Sent, number: number) => HttpResult;

/** The settings of a world. */
export interface Settings {
	readonly random?: number;
	readonly start?: number;
	/** How long a sending takes in ms, by its number; 0 answers at once. */
	readonly latency?: number | ((number: number) => number);
	/** The virtual ms after the start at which the user stops the workflow. */
	readonly stopAfter?: number;
}

const START = Date.UTC(2026, 0, 15, 12);

/** More than any test sends: one that never ends shall fail, not hang. */
const MAX_SENT = 20_000;

/** A world with a virtual clock and a scripted service. Time only passes while all of it waits. `pauses` are the waits of the client in ms. */
export function fakeRuntime(script: Script, settings: Settings = {}) {
	const { random = 1, start = START, latency = 0, stopAfter } = settings;
	const sent: Sent[] = [];
	const pauses: number[] = [];
	const timers: Array<{ readonly at: number; readonly wake: () => void }> = [];
	let clock = start;
	const user = new AbortController();
	let turning = false;

	async function turn(): Promise<void> {
		turning = true;
		while (timers.length > 0) {
			// All promises that can settle have settled by the next macrotask, however many depend on each other.
			await macrotask();
			timers.sort((a, b) => a.at - b.at);
			const next = timers.shift();
			if (!next) break;
			clock = Math.max(clock, next.at);
			next.wake();
		}
		turning = false;
	}

	function after(ms: number, wake: () => void): void {
		timers.push({ at: clock + ms, wake });
		if (!turning) void turn();
	}

	const wait = (ms: number): Promise<void> => new Promise((resolve) => after(ms, resolve));

	function stop(): void {
		user.abort();
		for (const { wake } of timers.splice(0)) wake();
	}

	const runtime: Runtime = {
		send: async ({ method, path, body, timeoutMs }: Request) => {
			const wire: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
			const record = { method, path, body: wire, at: clock, timeoutMs };
			sent.push(record);
			if (sent.length > MAX_SENT) throw new Error('The requests do not come to an end');
			const number = sent.length;
			const response = script(record, number);
			const ms = typeof latency === 'number' ? latency : latency(number);
			if (ms > 0) await wait(ms);
			return ms > 0 && user.signal.aborted ? lost('ABORTED') : response;
		},
		sleep: async (ms) => {
			if (ms > 0) pauses.push(ms);
			if (!user.signal.aborted) await wait(ms);
		},
		random: () => random,
		now: () => clock,
		signal: user.signal,
	};
	if (stopAfter !== undefined) after(stopAfter, stop);
	const context = (
		ledger: Ledger = jsonLedger(),
		dedupeStore: DedupeStore = fakeDedupeStore(),
		round = 0,
	): OperationContext => ({
		client: createClient(runtime),
		zone: 'Europe/Berlin',
		now: runtime.now,
		sleep: runtime.sleep,
		signal: runtime.signal,
		account: 'workspace',
		round,
		ledger,
		inTurn: async (call) => await call(),
		dedupeStore,
	});
	return { runtime, sent, pauses, stop, context };
}

/** A ledger like the context of a node. */
export interface JsonLedger extends Ledger {
	/** All its content as JSON. */
	save: () => string;
}

/** Makes a ledger, empty or of what another one saved. */
export function jsonLedger(saved = '{}'): JsonLedger {
	const ledger = JSON.parse(saved) as Ledger;
	const save = () => JSON.stringify(ledger);
	return Object.defineProperty(ledger, 'save', { value: save }) as JsonLedger;
}

/** A response of the service; a body that is no text is sent as JSON. */
export function reply(
	status: number,
	body: unknown = '',
	headers: HttpResponse['headers'] = {},
): HttpResponse {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return { kind: 'response', status, headers, text };
}

/** No response, and nothing left this machine. */
export const neverSent = (code = 'ECONNREFUSED'): NoResponse => ({
	kind: 'noResponse',
	sent: 'no',
	code,
});

/** No response, and it is unknown whether the request arrived. */
export const lost = (code = 'ECONNRESET'): NoResponse => ({
	kind: 'noResponse',
	sent: 'unknown',
	code,
});

/** Answers the sendings with these responses in turn, and repeats the last one. */
export const inTurn =
	(...answers: readonly [HttpResult, ...HttpResult[]]): Script =>
	(_, number) =>
		answers[number - 1] ?? answers[answers.length - 1] ?? answers[0];

/** A store that cannot be used, and why. */
export const brokenDedupeStore = (problem: string, isSaved = true): DedupeStore => ({
	isSaved,
	size: async () => fail(problem),
	alone: async () => fail(problem),
});

/** A store across executions, whose calls take a moment and then do all of their work at once; work waits for its turn. */
export function fakeDedupeStore(entries = new Set<string>()): DedupeStore {
	let last: Promise<unknown> = Promise.resolve();
	const moment = async () => {
		for (let i = 0; i < 3; i++) await Promise.resolve();
	};
	const texts: StoredTexts = {
		record: async (keys) => {
			await moment();
			const present = new Set(keys.filter((text) => entries.has(text)));
			for (const text of keys) entries.add(text);
			return present;
		},
		remove: async (gone) => {
			await moment();
			for (const text of gone) entries.delete(text);
		},
	};
	return {
		isSaved: true,
		size: async () => {
			await moment();
			return ok(entries.size);
		},
		alone: async (work) => {
			const done = last.then(async () => await work(texts));
			last = done.catch(() => undefined);
			return await done.then(ok, (error: unknown) =>
				fail(error instanceof Error ? error.message : String(error)),
			);
		},
	};
}
