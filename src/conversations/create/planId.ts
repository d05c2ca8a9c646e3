import { hash } from 'crypto';
import { formatCount, plural } from '../../core/text';

/** Someone who would be contacted, and with what. */
export interface PlannedSend {
	readonly identity: string;
	readonly content: unknown;
}

/** How many groups people fall into: what differs between two plans is seen by groups. */
const GROUPS = 32;
const VERSION = 'p2';
const DIGEST_LENGTH = 22;

/** A byte of a digest; never 0, so each value counts. */
const byteOf = (digest: string, at: number): number =>
	(parseInt(digest.slice(at * 2, at * 2 + 2), 16) % 255) + 1;

/** A value as JSON that does not depend on the order of its keys. */
const canonical = (value: unknown): string =>
	JSON.stringify(value, (_, each: unknown) =>
		typeof each === 'object' && each !== null && !Array.isArray(each)
			? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
			: each,
	);

/**
 * The ID of a plan: how many, for which workspace, a digest of everything, and for each group of people one byte of who they are and one of what they
 * get. The order of the values does not matter.
 */
export function planIdOf(planned: readonly PlannedSend[], account: string): string {
	const people = new Uint8Array(GROUPS);
	const contents = new Uint8Array(GROUPS);
	const wholes: string[] = [];
	for (const { identity, content } of planned) {
		const who = hash('sha256', identity, 'hex');
		const whole = hash('sha256', canonical([identity, content]), 'hex');
		const group = byteOf(who, 0) % GROUPS;
		people[group] = (people[group] ?? 0) + byteOf(who, 1);
		contents[group] = (contents[group] ?? 0) + byteOf(whole, 1);
		wholes.push(whole);
	}
	const all = hash('sha256', wholes.toSorted().join('\n'), 'base64url').slice(0, DIGEST_LENGTH);
	const place = hash('sha256', account, 'hex').slice(0, 6);
	const body = [VERSION, planned.length, place, all, encode(people), encode(contents)].join('.');
	return `${body}.${checksum(body)}`;
}

const encode = (bytes: Uint8Array): string =>
	[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const checksum = (body: string): string => hash('sha256', body, 'base64url').slice(0, 4);

interface PlanId {
	readonly count: number;
	/** The workspace that it is for. */
	readonly place: string;
	readonly people: Uint8Array;
	readonly contents: Uint8Array;
}

const FORM = /^(p2\.(\d{1,7})\.([\da-f]{6})\.[\w-]{22}\.([\da-f]{64})\.([\da-f]{64}))\.([\w-]{4})$/;

/** Whether a text is the ID of a plan. */
export const isPlanId = (text: string): boolean => read(text) !== undefined;

function read(text: string): PlanId | undefined {
	const [, body = '', count = '', place = '', people = '', contents = '', check] =
		FORM.exec(text) ?? [];
	if (body === '' || check !== checksum(body)) return undefined;
	const decode = (part: string): Uint8Array =>
		Uint8Array.from({ length: GROUPS }, (_, i) => parseInt(part.slice(i * 2, i * 2 + 2), 16));
	return { count: Number(count), place, people: decode(people), contents: decode(contents) };
}

/** What differs between an approved plan and the one that the rows give now, in words; undefined where they are the same. */
export function planDifference(approved: string, current: string): string | undefined {
	const before = read(approved);
	const now = read(current);
	if (approved === current) return undefined;
	if (!before || !now) return OTHER;
	const more = now.count - before.count;
	const people = differing(before.people, now.people);
	// A changed number leaves one group and enters another.
	const changed = Math.ceil(Math.max(0, people - Math.abs(more)) / 2);
	const contents = differing(before.contents, now.contents);
	if (before.place !== now.place) return 'it was made for another workspace';
	const said = [
		...(more > 0 ? [plural(more, 'more row')] : []),
		...(more < 0 ? [`${formatCount(-more)} fewer ${more === -1 ? 'row' : 'rows'}`] : []),
		...(changed > 0 ? [`${plural(changed, 'number')} changed`] : []),
		...(people === 0 && contents > 0 ? [`the content of ${plural(contents, 'row')} changed`] : []),
	];
	return said.length > 0 ? said.join(', ') : OTHER;
}

const OTHER = 'rows were replaced or changed';

const differing = (before: Uint8Array, now: Uint8Array): number =>
	before.reduce((count, byte, group) => count + (byte === now[group] ? 0 : 1), 0);
