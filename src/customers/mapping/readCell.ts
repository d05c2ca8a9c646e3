import { recognizeClean } from '../../core/cleanNumber';
import { callingCodeOf } from '../../core/libphonenumber';
import { readCountry } from '../../core/phoneCountry';
import { isNothing, isZero } from '../nothing';

/** What is looked for in a cell. */
export type CellKind = 'identifier' | 'name' | 'phone' | 'email' | 'country' | 'number';

/** A value that a field can hold. */
export type Scalar = string | number;

type Members = Readonly<Record<string, unknown>>;

const ranksOf = (names: string): ReadonlyMap<string, number> =>
	new Map(names.split(' ').map((name, rank) => [name, rank]));

/** Members that hold the value of an object, the best first. */
const members: Readonly<Record<CellKind, ReadonlyMap<string, number>>> = {
	// Never `id`: Notion and monday.com write the ID of the column there.
	identifier: ranksOf('value VALUE text plain_text number string'),
	name: ranksOf(
		'value text plain_text full display_value displayName display_name full_name fullName name unstructuredName',
	),
	phone: ranksOf(
		'PhoneNumber value VALUE e164 number_e164 number full FreeFormNumber phone phoneNumber phone_number national_number text plain_text',
	),
	email: ranksOf('value VALUE email address Address emailAddress email_address text plain_text'),
	country: ranksOf('value code iso iso2 country_code countryCode name label text'),
	number: ranksOf('value number'),
};

const MAX_ENTRIES = 50;
const MAX_DEPTH = 4;

/** The value in a cell of any shape: a list gives its primary, else its first value; undefined where nothing fits. */
export function readCell(value: unknown, kind: CellKind, depth = 0): Scalar | undefined {
	if (typeof value === 'string' || typeof value === 'number')
		return isNothing(value) || (kind !== 'number' && isZero(value)) ? undefined : value;
	// Odoo writes false where a text is empty.
	if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return undefined;
	return Array.isArray(value)
		? readList(value, kind, depth + 1)
		: readMembers(value as Members, kind, depth + 1);
}

/** The primary entry, else a mobile number, else the first that is filled. */
function readList(list: readonly unknown[], kind: CellKind, depth: number): Scalar | undefined {
	if (list.length === 0) return undefined;
	if (typeof memberOf(list[0], 'plain_text') === 'string')
		return readCell(
			joined(list.slice(0, MAX_ENTRIES).map((entry) => memberOf(entry, 'plain_text'))),
			kind,
			depth,
		);
	// Odoo gives a record that is linked as its ID and its name.
	if (list.length === 2 && typeof list[0] === 'number' && typeof list[1] === 'string')
		return readCell(list[kind === 'identifier' ? 0 : 1], kind, depth);
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
const LABELS = new Set([
	'label',
	'VALUE_TYPE',
	'type',
	'category',
	'field',
	'kind',
	'PhoneType',
	'phoneLabel',
]);
const MOBILE = /mobil|mobiel|cell|handy|portable|m[oó]vil|telem/i;

/** What is never the number or the address of the person now. */
const NEVER =
	/fax|pager|beeper|assist|voice ?mail|emergency|notfall|former|previous|ehemalig|(^|[^a-z])(old|alt|ex|ancien|antig\w*|vecchi\w*|oud)([^a-z]|$)/i;

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

/** Whether a label is that of a fax, an old number or the like. */
export const isNever = (label: unknown): boolean => typeof label === 'string' && NEVER.test(label);

function readMembers(cell: Members, kind: CellKind, depth: number): Scalar | undefined {
	const names = Object.keys(cell);
	if (names.length > MAX_ENTRIES) return undefined;
	const isReached = kind === 'phone' || kind === 'email';
	if (isReached && names.some((name) => LABELS.has(name) && isNever(cell[name]))) return undefined;
	const type = names.includes('type') ? cell['type'] : undefined;
	// The other members of a property of Notion are its configuration.
	if (typeof type === 'string' && Object.hasOwn(cell, type) && type !== 'type')
		return readCell(type === 'relation' ? linkedIn(cell[type]) : cell[type], kind, depth);
	let best: Scalar | undefined;
	let bestRank = Infinity;
	const ranks = members[kind];
	for (const name of names) {
		const rank = ranks.get(name);
		if (rank === undefined || rank > bestRank) continue;
		const value = readCell(cell[name], kind, depth);
		const read = kind === 'phone' && value !== undefined ? withCodes(value, cell) : value;
		if (read === undefined) continue;
		best = read;
		bestRank = rank;
	}
	if (best !== undefined) return best;
	if (kind === 'name')
		return joined(PARTS.map((names) => names.map((name) => memberOf(cell, name)).find(isText)));
	return isReached ? readLabeled(cell, kind, depth) : undefined;
}

const PARTS = [
	['first', 'first_name', 'firstName', 'given', 'given_name', 'givenName'],
	['last', 'last_name', 'lastName', 'family', 'family_name', 'familyName', 'surname'],
];

/** A relation of Notion to one page is its ID. */
const linkedIn = (relation: unknown): unknown =>
	Array.isArray(relation) && relation.length === 1 ? memberOf(relation[0], 'id') : undefined;

const CODES = ['PhoneCountryCode', 'countryCode', 'country_code', 'callingCode'].concat([
	'dialCode',
	'dial_code',
	'countryShortName',
	'country',
]);

/** A number with the country and area that stand beside it, as Xero, Jotform and monday.com give them. */
function withCodes(given: Scalar, cell: Members): Scalar {
	const number = String(given).trim();
	if (/^(\+|00)/.test(number)) return given;
	const area = text(memberOf(cell, 'PhoneAreaCode') ?? memberOf(cell, 'area'));
	const entered = CODES.map((code) => text(memberOf(cell, code))).find((code) => code !== '');
	if (entered === undefined) return area === '' ? given : `${area} ${number}`;
	const country = /^\+?\d{1,3}$/.test(entered) ? undefined : readCountry(entered);
	const code = String(country ? callingCodeOf(country) : entered.replace(/^\+/, ''));
	// monday.com and Jotform may have it in both places.
	if (area === '' && number.startsWith(code) && recognizeClean(`+${number}`)) return `+${number}`;
	return [`+${code}`, area, number].filter((part) => part !== '').join(' ');
}

/** Lists by their label, as Google Contacts gives them: `{ mobile: [...], work: [...] }`. */
function readLabeled(cell: Members, kind: CellKind, depth: number): Scalar | undefined {
	const labels = Object.keys(cell);
	if (labels.length > MAX_ENTRIES || !labels.every((label) => Array.isArray(cell[label])))
		return undefined;
	labels.sort((a, b) => Number(MOBILE.test(b)) - Number(MOBILE.test(a)) || (a < b ? -1 : 1));
	for (const label of labels) {
		if (isNever(label)) continue;
		const read = readCell(cell[label], kind, depth);
		if (read !== undefined) return read;
	}
	return undefined;
}

const memberOf = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? (value as Members)[name]
		: undefined;

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const text = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

const joined = (parts: readonly unknown[]): string | undefined => {
	const filled = parts.map(text).filter((part) => part !== '');
	return filled.length > 0 ? filled.join(' ') : undefined;
};
