import compact from 'lodash/compact';
import get from 'lodash/get';
import mapValues from 'lodash/mapValues';
import maxBy from 'lodash/maxBy';
import { recognizeClean } from '../../core/cleanNumber';
import { callingCodeOf } from '../../core/libphonenumber';
import { readCountry } from '../../core/phoneCountry';
import { forbidsInside, readYesNo, remembered } from '../../core/yesNo';
import { isOwnLine } from '../columnNames';
import { isNothing, isNothingFor, isZero } from '../nothing';

/** What is looked for in a cell. */
export type CellKind = 'identifier' | 'name' | 'phone' | 'email' | 'country' | 'number';

type Scalar = string | number;
type Members = Readonly<Record<string, unknown>>;

/** Members that hold the value of an object, the best first. */
const members = mapValues(
	{
		// Never `id`: Notion and monday.com write the ID of the column there.
		identifier: 'value VALUE text plain_text number string _ #text',
		name: `value text plain_text full display_value displayName display_name full_name fullName name
			unstructuredName _ #text`,
		phone: `PhoneNumber value VALUE Value e164 number_e164 phoneE164 sanitized_number internationalFormat number Number full FreeFormNumber phone phoneNumber phone_number
			national_number primaryPhoneNumber tel raw_number text plain_text _ #text mobile cell home work`,
		email:
			'value VALUE Value email address Address emailAddress email_address primaryEmail mail text plain_text _ #text',
		country: 'value code iso iso2 country_code countryCode name label text',
		number: 'value number',
	} satisfies Record<CellKind, string>,
	(names) => names.split(/\s+/),
);

/** What is never the number or the address of the person now. */
const NEVER =
	/fax|pager|beeper|assist|voice ?mail|emergency|notfall|former|previous|ehemalig|invalid|inactive|disconnected|deleted|wrong|(not in|out of) service|do not use|don.?t use|no longer|(^|[^a-z])(old|dead|bad|alt|ex|ancien|antig\w*|vecchi\w*|oud)([^a-z]|$)/i;
const MOBILE = /mobil|mobiel|cell|handy|portable|m[oó]vil|telem/i;

/** Members that say what an entry of a list is. */
const LABEL =
	/label|type|categor|field|kind|modifier|relation|whose|belongs|owner|usage|tags?$|^(title|use)$/i;
/** Flags of an entry that is the person's, unless they say no, and of one that is not, if they say yes. */
const [ALIVE, DEAD] = [/^(is_?)?(active|valid)$/i, /^(is_?)?(inactive|invalid|deleted)$/i];
const PRIMARY = 'primary is_primary isPrimary default isDefault metadata.primary'.split(' ');

const MAX_ENTRIES = 50;
const MAX_DEPTH = 4;

/** A whole number as a data frame writes it beside cells that are empty. */
const WHOLE = /^\s*(\d+)\.0\s*$/;

/** The value in a cell of any shape: a list gives its primary, else its first value; undefined where nothing fits. */
export function readCell(value: unknown, kind: CellKind, depth = 0): Scalar | undefined {
	if (typeof value === 'string' || typeof value === 'number') {
		if (isNothingFor(kind, value) || (kind !== 'number' && isZero(value))) return undefined;
		return kind === 'identifier' && typeof value === 'string' ? value.replace(WHOLE, '$1') : value;
	}
	// Odoo writes false where a text is empty.
	if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return undefined;
	return Array.isArray(value)
		? readList(value.slice(0, MAX_ENTRIES), kind, depth + 1)
		: readMembers(value as Members, kind, depth + 1);
}

/** Odoo gives a record that is linked as its ID and its name. */
export const isLink = (cell: unknown): boolean =>
	Array.isArray(cell) &&
	cell.length === 2 &&
	typeof cell[0] === 'number' &&
	typeof cell[1] === 'string';

/** The primary entry, else a mobile number, else the first that is filled. */
function readList(list: readonly unknown[], kind: CellKind, depth: number): Scalar | undefined {
	if (typeof memberOf(list[0], 'plain_text') === 'string')
		return readCell(joined(list.map((entry) => memberOf(entry, 'plain_text'))), kind, depth);
	if (isLink(list)) return readCell(list[kind === 'identifier' ? 0 : 1], kind, depth);
	const read = list.map((entry) => ({ value: readCell(entry, kind, depth), entry }));
	const filled = read.filter(({ value }) => value !== undefined);
	return maxBy(filled, ({ entry }) =>
		PRIMARY.some((name) => get(entry, name) === true)
			? 2
			: Number(kind === 'phone' && isMobile(entry)),
	)?.value;
}

const isMobile = (entry: unknown): boolean =>
	Object.entries(Object(entry) as Members).some(
		([key, value]) => LABEL.test(key) && MOBILE.test(labelIn(value)),
	);

/** A label as text or with an ID: `{ type: { id: 2, name: 'Fax' } }`. */
const labelIn = (value: unknown): string => text(memberOf(value, 'name') ?? value);

/** Whether a label has a word that no line of one's own has, so it may be someone else's: "Agent". */
const isUnknown = remembered((label) => !isOwnLine(label) && !forbidsInside([label]));

/** Whether a number or an address with a label is not the person's: that of a fax, an old one, or maybe someone else's. */
export const isNotOwn = (label: unknown): boolean =>
	typeof label === 'string' && (NEVER.test(label) || isUnknown(label));

/** The first label in a cell that may be someone else's. */
export const otherLabelIn = (cell: unknown): string | undefined =>
	[cell]
		.flat()
		.slice(0, MAX_ENTRIES)
		.flatMap((entry) => Object.entries(Object(entry) as Members))
		.map(([key, value]) => (LABEL.test(key) ? labelIn(value) : ''))
		.find((label) => !NEVER.test(label) && isUnknown(label));

/** Whether an entry is that of a fax or an assistant, or is not in use. */
const isGone = (entry: Members): boolean =>
	Object.entries(entry).some(([key, value]) => {
		const label = labelIn(value);
		return (
			// Elsewhere a single word says so, longer texts may be about something else.
			(LABEL.test(key) ? isNotOwn(label) : /^[^\s\d@]+$/.test(label) && NEVER.test(label)) ||
			(ALIVE.test(key) && !isNothing(value) && readYesNo(value) === false) ||
			(DEAD.test(key) && readYesNo(value) === true)
		);
	});

function readMembers(cell: Members, kind: CellKind, depth: number): Scalar | undefined {
	const isReached = kind === 'phone' || kind === 'email';
	if (Object.keys(cell).length > MAX_ENTRIES || (isReached && isGone(cell))) return undefined;
	const type = typedMember(cell);
	if (type !== undefined) {
		const typed = cell[type];
		// A relation of Notion to one page is its ID.
		const isLinked = type === 'relation' && Array.isArray(typed) && typed.length === 1;
		return readCell(isLinked ? memberOf(typed[0], 'id') : typed, kind, depth);
	}
	for (const name of members[kind]) {
		const value = readCell(memberOf(cell, name), kind, depth);
		if (value !== undefined) return kind === 'phone' ? withCodes(value, cell) : value;
	}
	if (kind === 'name') return joined(PARTS.map((names) => textIn(cell, names)));
	// Lists by their label, as Google Contacts gives them: `{ mobile: [...], work: [...] }`.
	const labels = Object.values(cell).every(Array.isArray) ? Object.keys(cell).sort() : [];
	const labeled = labels.map((label) => ({ ...(labels[1] && { label }), value: cell[label] }));
	return isReached ? readList(labeled, kind, depth) : undefined;
}

/** A property of Notion has a type, and its value under the name of that; its other members are its configuration. */
export const typedMember = (cell: Members): string | undefined => {
	const type = memberOf(cell, 'type');
	return typeof type === 'string' && type !== 'type' && Object.hasOwn(cell, type)
		? type
		: undefined;
};

const PARTS = [
	'first first_name firstName given given_name givenName',
	'last last_name lastName family family_name familyName surname',
].map((names) => names.split(' '));

const CODES =
	`PhoneCountryCode countryCode country_code callingCode dialCode dial_code primaryPhoneCallingCode countryShortName
	country`.split(/\s+/);

/** A prefix is a calling code where it begins with a plus, else an area code may be meant. */
const AREAS = ['PhoneAreaCode', 'area', 'prefix'];

/** A number with the country and area that stand beside it, as Xero, Jotform and monday.com give them. */
function withCodes(given: Scalar, cell: Members): Scalar {
	const number = String(given).trim();
	if (/^(\+|00)/.test(number)) return given;
	const [area, entered] = [textIn(cell, AREAS), textIn(cell, CODES)];
	if (entered === '') return area === '' ? given : `${area} ${number}`;
	const country = /^\+?\d{1,3}$/.test(entered) ? undefined : readCountry(entered);
	const code = String(country ? callingCodeOf(country) : entered.replace(/^\+/, ''));
	// monday.com and Jotform may have it in both places.
	if (area === '' && number.startsWith(code) && recognizeClean(`+${number}`)) return `+${number}`;
	return compact([`+${code}`, area, number]).join(' ');
}

/** A member of an object, but none that every object has. */
export const memberOf = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? (value as Members)[name]
		: undefined;

const text = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** The first of some members that has a text. */
const textIn = (cell: Members, names: readonly string[]): string =>
	names.map((name) => text(memberOf(cell, name))).find((each) => each !== '') ?? '';

const joined = (parts: readonly unknown[]): string | undefined =>
	compact(parts.map(text)).join(' ') || undefined;
