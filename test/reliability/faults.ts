import type { Fate } from './edge.mts';
import type { FaultInput as Rule } from '../../sandbox/faults.mts';

/**
 * The conclusion from a fault about the request that it hit. `neverSent`: nothing left this machine. `limited`: rejected
 * for now. `tooLarge`: rejected. `refused`, `denied` and `notFound`: rejected, and no row is at fault. `unclear`: maybe
 * accepted. `unreadable` and `empty`: accepted, with such a body. `nothing`: accepted, and the response arrives late.
 */
export type Proof =
	| 'neverSent'
	| 'limited'
	| 'tooLarge'
	| 'refused'
	| 'denied'
	| 'notFound'
	| 'unclear'
	| 'unreadable'
	| 'empty'
	| 'nothing';

/** A fault of a request: its kind, its proof, and the message that the user sees. */
export interface Fault {
	readonly name: string;
	readonly proves: Proof;
	/** For what was never sent: whether it may go well the next time. */
	readonly passes?: boolean;
	/** The minimum pause in ms that the service requests. */
	readonly asks?: number;
	/** Whether it asks for more than anyone waits. */
	readonly asksTooMuch?: boolean;
	/** Whether no response arrives, so a timeout has to end the wait. */
	readonly silent?: boolean;
	/** The rule of the sandbox, given the time (ms) and another host, or the fate of a connection. */
	readonly rule?: (now: number, elsewhere: string) => FaultKind;
	readonly fate?: Fate;
	/** The node's message about the fault. */
	readonly says: RegExp;
}

type FaultKind = Rule extends infer R ? (R extends { kind: unknown } ? R : never) : never;

const limited = (name: string, retryAfter?: (now: number) => number | string) => ({
	name,
	proves: 'limited' as const,
	rule: (now: number): FaultKind => ({
		kind: 'status',
		status: 429,
		...(retryAfter && { retryAfter: retryAfter(now) }),
	}),
	says: /is limiting requests \(429/,
});

const failed = (status: number): Fault => ({
	name: String(status),
	proves: 'unclear',
	rule: () => ({ kind: 'status', status }),
	says: new RegExp(`The service failed \\(${status}`),
});

const denied = (status: number): Fault => ({
	name: String(status),
	proves: 'denied',
	rule: () => ({ kind: 'status', status }),
	says: /did not accept the credential|has no access/,
});

const broken = {
	proves: 'unclear' as const,
	says: /connection broke before a response came .*may have received/,
};

const unreadable = {
	proves: 'unreadable' as const,
	says: /sent something unexpected: The response is not JSON/,
};

const ASKED = 20_000;

/** Everything that the matrix lets go wrong. */
export const faults: readonly Fault[] = [
	{ ...limited('429, Retry-After in seconds', () => ASKED / 1000), asks: ASKED },
	{
		...limited('429, Retry-After as a date', (now) => new Date(now + ASKED).toUTCString()),
		// A date has no fractions of a second, and some time passes before it is read.
		asks: ASKED - 5_000,
	},
	{ ...limited('429, Retry-After of a day', () => 86_400), asksTooMuch: true },
	limited('429 without Retry-After'),
	...[500, 502, 503, 504, 408].map(failed),
	denied(401),
	denied(403),
	{
		name: '404',
		proves: 'notFound',
		rule: () => ({ kind: 'status', status: 404 }),
		says: /does not know this request|There is no such conversation/,
	},
	{
		name: '413',
		proves: 'tooLarge',
		rule: () => ({ kind: 'status', status: 413 }),
		says: /request was too large for the service \(413/,
	},
	{ name: 'reset before the work', ...broken, rule: () => ({ kind: 'resetBefore' }) },
	{ name: 'reset after the work', ...broken, rule: () => ({ kind: 'resetAfter' }) },
	{
		name: 'no reply',
		proves: 'unclear',
		silent: true,
		rule: () => ({ kind: 'hang', when: 'after' }),
		says: /did not respond in time\. It may have received/,
	},
	{
		name: 'reply in drips',
		proves: 'nothing',
		rule: () => ({ kind: 'slowBody', msPerChunk: 15, chunks: 8 }),
		says: /^$/,
	},
	{ name: 'malformed JSON', ...unreadable, rule: () => ({ kind: 'malformedJson' }) },
	{
		name: 'HTML page with 200',
		...unreadable,
		rule: () => ({ kind: 'html', status: 200, when: 'after' }),
	},
	{
		...failed(502),
		name: 'HTML page with 502',
		rule: () => ({ kind: 'html', status: 502 }),
		says: /The service failed \(502: 502 Error 502/,
	},
	{
		name: 'empty body',
		proves: 'empty',
		rule: () => ({ kind: 'emptyBody' }),
		says: /sent something unexpected: The response is not JSON|The response has no jobId/,
	},
	{
		name: 'redirect to another host',
		proves: 'refused',
		rule: (_, elsewhere) => ({ kind: 'redirect', location: `${elsewhere}/api/v2` }),
		says: /redirected to 127\.0\.0\.1:\d+ \(302\)\. The redirect was not followed/,
	},
	{
		name: 'untrusted certificate',
		proves: 'neverSent',
		fate: 'untrusted',
		passes: false,
		says: /is not trusted, because of its certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. Nothing was sent/,
	},
	{
		name: 'name not found',
		proves: 'neverSent',
		fate: 'notFound',
		passes: true,
		says: /host of the service was not found\. Nothing was sent/,
	},
	{
		name: 'connection refused',
		proves: 'neverSent',
		fate: 'refused',
		passes: true,
		says: /The service refused the connection .*Nothing was sent/,
	},
];
