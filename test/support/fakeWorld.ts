import type { World } from '../../src/core/client';
import { createClient } from '../../src/core/client';
import type { Known, Memory } from '../../src/core/memory';
import type { Desk, Ledger } from '../../src/core/operation';
import { ok } from '../../src/core/result';
import type { Answer, NoReply, Reply, Request } from '../../src/core/request';

/** A request as it went over the wire: its body has been JSON, and `at` is the virtual time in ms. */
export interface Sent {
	readonly method: string;
	readonly path: string;
	readonly body: unknown;
	readonly at: number;
}

/** What the scripted service does with a sending; `number` counts all sendings from 1. */
export type Script = (sent: Sent, number: number) => Answer;

/** A world with a virtual clock; the service in it is a script, and every sending is recorded. */
export interface FakeWorld {
	readonly world: World;
	readonly sent: readonly Sent[];
	/** The waits of the client in ms, in the order they began. */
	readonly pauses: readonly number[];
	stop(): void;
	desk(ledger?: Ledger, memory?: Memory): Desk;
}

interface Settings {
	readonly random?: number;
	readonly start?: number;
	readonly zone?: string;
	/** How long a sending takes in ms; 0 answers at once. */
	readonly latency?: number | ((number: number) => number);
	/** The virtual ms after the start at which the user stops the workflow. */
	readonly stopAfter?: number;
}

const START = Date.UTC(2026, 0, 15, 12);

/** More than any test sends: one that never ends shall fail, not hang. */
const MOST_SENT = 20_000;

/** What a request in flight ends in when the user stops the workflow. */
const ABORTED: NoReply = {
	kind: 'noReply',
	sent: 'unknown',
	code: 'ABORTED',
	message: 'the workflow was stopped',
};

/** Makes a world of a script; time passes only while everybody waits. */
export function fakeWorld(script: Script, settings: Settings = {}): FakeWorld {
	const { random = 1, start = START, zone = 'Europe/Berlin', latency = 0, stopAfter } = settings;
	const sent: Sent[] = [];
	const pauses: number[] = [];
	const timers: Array<{ readonly at: number; readonly wake: () => void }> = [];
	let clock = start;
	let stopped = false;
	let turning = false;

	async function turn(): Promise<void> {
		turning = true;
		while (timers.length > 0) {
			// Lets everything that can go on go on before time passes.
			for (let i = 0; i < 60; i++) await Promise.resolve();
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
		stopped = true;
		for (const { wake } of timers.splice(0)) wake();
	}

	const world: World = {
		send: async ({ method, path, body }: Request) => {
			const wire: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
			const record = { method, path, body: wire, at: clock };
			sent.push(record);
			if (sent.length > MOST_SENT) throw new Error('The requests do not come to an end');
			const number = sent.length;
			const answer = script(record, number);
			const ms = typeof latency === 'number' ? latency : latency(number);
			if (ms > 0) await wait(ms);
			return ms > 0 && stopped ? ABORTED : answer;
		},
		sleep: async (ms) => {
			if (ms > 0) pauses.push(ms);
			if (!stopped) await wait(ms);
		},
		random: () => random,
		now: () => clock,
		stopped: () => stopped,
	};
	if (stopAfter !== undefined) after(stopAfter, stop);
	const desk = (ledger: Ledger = jsonLedger(), memory: Memory = fakeMemory()): Desk => ({
		client: createClient(world),
		zone,
		now: world.now,
		sleep: world.sleep,
		stopped: world.stopped,
		ledger,
		memory,
	});
	return { world, sent, pauses, stop, desk };
}

/** A ledger whose values survive only as JSON, like those in the context of a node. */
export interface JsonLedger extends Ledger {
	/** All it holds, as JSON. */
	save(): string;
}

/** Makes a ledger, empty or of what another one saved. */
export function jsonLedger(saved = '{}'): JsonLedger {
	const memory = new Map<string, string>(
		Object.entries(JSON.parse(saved) as Record<string, unknown>).map(([key, value]) => [
			key,
			JSON.stringify(value),
		]),
	);
	return {
		recall: (key) => {
			const text = memory.get(key);
			return text === undefined ? undefined : (JSON.parse(text) as unknown);
		},
		record: (key, value) => {
			if (value === undefined) memory.delete(key);
			else memory.set(key, JSON.stringify(value));
		},
		save: () =>
			JSON.stringify(
				Object.fromEntries([...memory].map(([key, text]) => [key, JSON.parse(text) as unknown])),
			),
	};
}

/** A reply of the service; a body that is no text is sent as JSON. */
export function reply(status: number, body: unknown = '', headers: Reply['headers'] = {}): Reply {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return { kind: 'reply', status, headers, text };
}

/** No reply, and nothing left this machine. */
export const neverSent = (code = 'ECONNREFUSED'): NoReply => ({
	kind: 'noReply',
	sent: 'no',
	code,
	message: `connect ${code}`,
});

/** No reply, and nobody knows whether the request arrived. */
export const lost = (code = 'ECONNRESET'): NoReply => ({
	kind: 'noReply',
	sent: 'unknown',
	code,
	message: 'socket hang up',
});

/** Answers the sendings with these answers in turn; the last one goes on for ever. */
export const inTurn =
	(...answers: readonly [Answer, ...Answer[]]): Script =>
	(_, number) =>
		answers[number - 1] ?? answers[answers.length - 1] ?? answers[0];

/** A memory across executions; a call takes a moment, and then does all of its work at once. */
export function fakeMemory(known = new Map<string, Known>()): Memory {
	const alone = async <T>(call: () => T) => {
		for (let i = 0; i < 3; i++) await Promise.resolve();
		return ok(call());
	};
	return {
		claim: async (keys) =>
			await alone(() => {
				const before = new Map(keys.map((key) => [key, known.get(key) ?? 'new'] as const));
				for (const [key, state] of before) if (state === 'new') known.set(key, 'sent');
				return before;
			}),
		settle: async (keys) =>
			await alone(() => {
				for (const key of keys) known.set(key, 'done');
			}),
		release: async (keys) =>
			await alone(() => {
				for (const key of keys) known.delete(key);
			}),
	};
}
