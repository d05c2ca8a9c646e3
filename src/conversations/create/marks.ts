import get from 'lodash/get';
import { isBlank, MAX_DEPTH, shorten, textOf } from '../../core/text';
import { isRecord, unpacked } from '../../core/json';
import { isMarkColumn, isRefusedIn, readYesNo } from '../../core/yesNo';

/**
 * A member that marks someone as not to be called by its name, and whether it says so, or that says so as a consent or a status do;
 * inside of an object that is not the person's own, as `boss`, it may be someone else's.
 */
interface Mark {
	readonly name: string;
	readonly says: boolean | undefined;
	readonly isOwn: boolean;
}

const LABELS = ['name', 'label', 'title', 'key', 'field', 'id'];

/** The name of an entry of a list that has a name and a value, as custom fields of a CRM have. */
const labelOf = (entry: object): string =>
	'value' in entry
		? String(
				LABELS.map((name): unknown => Reflect.get(entry, name)).find(
					(label) => typeof label === 'string',
				) ?? '',
			)
		: '';

/** What a member says of calls, if it says anything. */
function* markOf(name: string, member: unknown, isOwn: boolean): Generator<Mark, void, undefined> {
	if (isMarkColumn(name)) yield { name, says: readYesNo(member), isOwn };
	else if (isRefusedIn(name, member)) {
		const said = typeof member === 'object' ? '' : `: ${shorten(String(member))}`;
		yield { name: `${name}${said}`, says: true, isOwn };
	}
}

/** Objects in which CRMs and tables keep what belongs to the person of the row. */
const OWN =
	/^(properties|fields|attributes|all|data|body|record|profile|traits|columns?|custom(_?(field|attribute|propert|value|data).*)?|user_?fields|meta_?data|(customer|contact|person|client|lead|subscriber|member|patient|attendee|guest|recipient)(_?(data|details|info))?|.*(preference|setting|consent|permission|privacy|gdpr).*)$/i;

/** Objects about others, though they may say nothing of who it is. */
const OTHERS =
	/owner|boss|manager|colleague|agent|assign|compan|organi[sz]ation|employer|account|deal|spouse|partner|relative|referr|creat|updat|modif/i;

const WHO = /name|mail|phone|mobile|number/i;

/** Whether an object is about someone whom the row does not have: others, as flags, are about its person. */
const isOfOther = (value: unknown, row: object): boolean =>
	Array.isArray(value)
		? value.some((each) => isOfOther(each, row))
		: isRecord(value) &&
			labelOf(value) === '' &&
			Object.entries(value).some(
				([name, member]) =>
					WHO.test(name) && !isBlank(textOf(member ?? '')) && !Object.values(row).includes(member),
			);

/** A list of what belongs to one person: of fields with a name, or of a single entry; others may be of several people. */
const isOfOne = (list: readonly unknown[]): boolean =>
	list.length < 2 || list.every((each) => labelOf(Object(each) as object) !== '');

/** All marks in a row or a conversation, also those inside of its objects, lists and texts of JSON. */
export function* marksIn(
	entered: unknown,
	isOwn = true,
	depth = 0,
	row = Object(entered) as object,
): Generator<Mark, void, undefined> {
	const value = unpacked(entered);
	if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
	const label = labelOf(value);
	if (label !== '') yield* markOf(label, Reflect.get(value, 'value'), isOwn);
	for (const [name, member] of Object.entries(value)) {
		if (!Array.isArray(value)) yield* markOf(name, member, isOwn);
		const isInside = Array.isArray(value)
			? isOfOne(value)
			: OWN.test(name) || !(OTHERS.test(name) || isOfOther(unpacked(member), row));
		yield* marksIn(member, isOwn && isInside, depth + 1, row);
	}
}

/** A value without the marks in it, nor what else an agent must not be told. */
export function withoutMarks(
	value: unknown,
	isHidden: (value: unknown) => boolean,
	depth = 0,
): unknown {
	if (depth > MAX_DEPTH) return value;
	const kept = (member: unknown): unknown => withoutMarks(member, isHidden, depth + 1);
	const isMark = (name: string, member: unknown): boolean =>
		isMarkColumn(name) || isRefusedIn(name, member);
	if (Array.isArray(value))
		return value
			.filter((each: unknown) => !isMark(labelOf(Object(each) as object), get(each, 'value')))
			.map(kept);
	if (!isRecord(value)) return value;
	const told = Object.entries(value).filter(
		([name, member]) => !isMark(name, member) && !isHidden(member),
	);
	return Object.fromEntries(told.map(([name, member]) => [name, kept(member)]));
}
