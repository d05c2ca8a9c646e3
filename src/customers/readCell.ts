import { isBlank, visible } from '../core/text';

/** What is looked for in a cell. */
export type CellKind = 'identifier' | 'name' | 'phone' | 'email' | 'mark' | 'number';

/** A value that a field can hold. */
export type Scalar = string | number | boolean;

type Members = Readonly<Record<string, unknown>>;

const ranksOf = (names: string): ReadonlyMap<string, number> =>
	new Map(names.split(' ').map((name, rank) => [name, rank]));

/** Members that hold the value of an object, the best first. */
const members: Readonly<Record<CellKind, ReadonlyMap<string, number>>> = {
	identifier: ranksOf('value id Id text'),
	name: ranksOf(
		'value text plain_text full displayName display_name full_name fullName name unstructuredName',
	),
	phone: ranksOf(
		'PhoneNumber value e164 number_e164 number full FreeFormNumber phone phoneNumber phone_number text plain_text',
	),
	email: ranksOf('value email address Address emailAddress email_address text plain_text'),
	mark: ranksOf('value checked'),
	number: ranksOf('value number'),
};

const MAX_ENTRIES = 50;
const MAX_DEPTH = 4;

/** The value in a cell of any shape: a list gives its primary, else its first value; undefined where nothing fits. */
export function readCell(value: unknown, kind: CellKind, depth = 0): Scalar | undefined {
	if (typeof value === 'string') return isBlank(value) ? undefined : value;
	if (typeof value === 'number') return value;
	// Odoo writes false where a text is empty.
	if (typeof value === 'boolean') return kind === 'mark' ? value : undefined;
	if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return undefined;
	return Array.isArray(value)
		? readList(value, kind, depth + 1)
		: readMembers(value as Members, kind, depth + 1);
}

/** The primary entry, else a mobile number, else the first that is filled. */
function readList(list: readonly unknown[], kind: CellKind, depth: number): Scalar | undefined {
	if (list.length === 0) return undefined;
	if (typeof memberOf(list[0], 'plain_text') === 'string')
		return joined(list.slice(0, MAX_ENTRIES).map((entry) => memberOf(entry, 'plain_text')));
	if (list.length === 1) return readCell(list[0], kind, depth);
	let best: Scalar | undefined;
	let bestRole = 0;
	const end = Math.min(list.length, MAX_ENTRIES);
	for (let i = 0; i < end; i++) {
		const read = readCell(list[i], kind, depth);
		if (read === undefined) continue;
		const role = roleOf(list[i], kind);
		if (role <= bestRole) continue;
		best = read;
		bestRole = role;
		if (role === PRIMARY_ROLE) break;
	}
	return best;
}

const PRIMARY = new Set(['primary', 'is_primary', 'isPrimary', 'default', 'isDefault']);
const LABELS = new Set(['label', 'type', 'category', 'field', 'kind', 'PhoneType', 'phoneLabel']);
const MOBILE = /mobil|mobiel|cell|handy|portable|m[oó]vil|telem/i;

const PRIMARY_ROLE = 3;

/** 3 for the primary entry of a list, 2 for a mobile number, 1 for any other. */
function roleOf(entry: unknown, kind: CellKind): number {
	if (typeof entry !== 'object' || entry === null) return 1;
	let role = 1;
	for (const name of Object.keys(entry)) {
		const value = (entry as Members)[name];
		if (value === true && PRIMARY.has(name)) return PRIMARY_ROLE;
		if (name === 'metadata' && memberOf(value, 'primary') === true) return PRIMARY_ROLE;
		if (kind === 'phone' && typeof value === 'string' && LABELS.has(name) && MOBILE.test(value))
			role = 2;
	}
	return role;
}

function readMembers(cell: Members, kind: CellKind, depth: number): Scalar | undefined {
	const names = Object.keys(cell);
	if (names.length > MAX_ENTRIES) return undefined;
	const type = names.includes('type') ? cell['type'] : undefined;
	const typed = typeof type === 'string' ? readCell(memberOf(cell, type), kind, depth) : undefined;
	if (typed !== undefined) return typed;
	let best: Scalar | undefined;
	let bestRank = Infinity;
	const ranks = members[kind];
	for (const name of names) {
		const rank = ranks.get(name);
		if (rank === undefined || rank > bestRank) continue;
		const read =
			name === 'PhoneNumber' || name === 'phone'
				? phoneParts(cell)
				: readCell(cell[name], kind, depth);
		if (read === undefined) continue;
		best = read;
		bestRank = rank;
	}
	if (best !== undefined) return best;
	if (kind === 'name') return joined([memberOf(cell, 'first'), memberOf(cell, 'last')]);
	return kind === 'phone' || kind === 'email' ? readLabeled(cell, kind, depth) : undefined;
}

/** Country, area and number apart, as Xero and Jotform give them. */
function phoneParts(cell: Members): string | undefined {
	const number = text(memberOf(cell, 'PhoneNumber') ?? memberOf(cell, 'phone'));
	if (number === '') return undefined;
	const country = text(memberOf(cell, 'PhoneCountryCode')).replace(/^\+/, '');
	const area = text(memberOf(cell, 'PhoneAreaCode') ?? memberOf(cell, 'area'));
	return joined([country === '' ? '' : `+${country}`, area, number]);
}

/** Lists by their label, as Google Contacts gives them: `{ mobile: [...], work: [...] }`. */
function readLabeled(cell: Members, kind: CellKind, depth: number): Scalar | undefined {
	const labels = Object.keys(cell);
	if (labels.length > MAX_ENTRIES || !labels.every((label) => Array.isArray(cell[label])))
		return undefined;
	labels.sort((a, b) => Number(MOBILE.test(b)) - Number(MOBILE.test(a)) || (a < b ? -1 : 1));
	for (const label of labels) {
		const read = readCell(cell[label], kind, depth);
		if (read !== undefined) return read;
	}
	return undefined;
}

const memberOf = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? (value as Members)[name]
		: undefined;

const text = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

const joined = (parts: readonly unknown[]): string | undefined => {
	const filled = parts.map(text).filter((part) => part !== '');
	return filled.length > 0 ? filled.join(' ') : undefined;
};

const YES = new Set([
	...['true', 'yes', 'y', '1', 'x', '✓', '✔', 'ja', 'oui', 'si', 'sí', 'sim'],
	...['wahr', 'vrai', 'verdadero', 'verdadeiro', 'vero', 'waar'],
]);
const NO = new Set([
	...['false', 'no', 'n', '0', 'nein', 'non', 'não', 'nao', 'nee'],
	...['falsch', 'faux', 'falso', 'onwaar'],
]);

/** A mark as true or false in the words of seven languages; any other word stays as it is. */
export function readMark(value: Scalar): Scalar {
	if (typeof value === 'boolean') return value;
	const word = visible(String(value)).toLowerCase();
	return YES.has(word) ? true : NO.has(word) ? false : value;
}
