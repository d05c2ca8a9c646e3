import get from 'lodash/get';
import { isBlank, MAX_DEPTH, shorten } from '../../core/text';
import { chosenOf, isOwnName, isRecord, labelOf, LABELS, unpacked } from '../../core/json';
import {
	consentOf,
	forbidsWithin,
	isChannel,
	isMarkColumn,
	isMarkDate,
	isNoAnswer,
	isRefusedIn,
	readDay,
	readRefusal,
	readMarkIn,
	saysYesOrNo,
} from '../../core/yesNo';

/** Whether a member is a consent to calls whose answer is neither yes nor no: "Verbal", "Web form". */
const isOpenConsent = (name: string, member: unknown): boolean =>
	Boolean(consentOf(name)) && readRefusal(member) === undefined;

/**
 * A member that marks someone as not to be called by its name, and whether it says so, or that says so as a consent or a status do;
 * inside of an object that is not the person's own, as `boss`, it may be someone else's.
 */
export interface Mark {
	readonly name: string;
	readonly says: boolean | undefined;
	readonly isOwn: boolean;
	/** Whether it is a day, which an answer makes one of the past: "DNC Date". */
	readonly isDate?: boolean;
}

/** The channel that an entry of a list is about: `{ channel: 'phone', allowed: false }`. */
const channelOf = (entry: unknown): string | undefined =>
	['channel', 'type', 'medium', 'method', 'purpose', 'text', ...LABELS]
		.map((name): unknown => get(entry, name))
		.find((label): label is string => typeof label === 'string' && isChannel(label));

/** What a member says of calls by its name, and by those around it, if it says anything. */
function markOf(
	name: string,
	member: unknown,
	around: readonly string[],
): Omit<Mark, 'isOwn'> | undefined {
	if (isMarkColumn(name))
		return isNoAnswer(member) ? undefined : { name, says: readMarkIn(name, member) };
	if (isMarkDate(name) && !isNoAnswer(member)) {
		const says = readDay(member);
		return says === false ? undefined : { name, says, isDate: true };
	}
	const said = typeof member === 'object' ? '' : `: ${shorten(String(member))}`;
	if (isRefusedIn(name, member)) return { name: `${name}${said}`, says: true };
	if (isOpenConsent(name, member)) return { name, says: undefined };
	return forbidsWithin(around, name, member)
		? { name: `${around.at(-1)}.${name}${said}`, says: true }
		: undefined;
}

/** Names of what is about others, though it may say nothing of who it is. */
export const OF_OTHERS =
	/owner|boss|manager|colleague|agent|assign|compan|organi[sz]ation|employer|account|deal|spouse|wife|husband|partner|relative|guardian|emergency|referr|creat|updat|modif/i;

const WHO = /name|mail|phone|mobile|number|^(first|last|given|family)$/i;

/** Whether an object is about someone whom the row does not have: others, as flags, are about its person. */
const isOfOther = (value: unknown, row: object): boolean =>
	Array.isArray(value)
		? value.some((each) => isOfOther(each, row))
		: isRecord(value) &&
			labelOf(value).length === 0 &&
			Object.entries(value).some(([name, member]) => WHO.test(name) && isWho(member, row));

/** Whether a member names someone else: no flag does. */
const isWho = (member: unknown, row: object): boolean =>
	typeof member === 'object'
		? isOfOther(member, row)
		: !isBlank(member) && !saysYesOrNo(member) && !Object.values(row).includes(member);

/** A list of what belongs to one person: of fields with a name, of channels, or of a single entry; others may be of several people. */
const isOfOne = (list: readonly unknown[]): boolean =>
	list.length < 2 ||
	list.every((each) => labelOf(Object(each) as object).length > 0 || channelOf(each) !== undefined);

/** All marks in a row or a conversation, also those inside of its objects, lists and texts of JSON. */
function* marksIn(
	marked: unknown,
	isOwn = true,
	{ around = [], row = Object(marked) as object }: { around?: string[]; row?: object } = {},
): Generator<Mark, void, undefined> {
	const value = unpacked(marked);
	if (typeof value !== 'object' || value === null || around.length > MAX_DEPTH) return;
	const isList = Array.isArray(value);
	const [label, labelled] = labelOf(value);
	for (const [key, entered] of Object.entries(value)) {
		const name = key === labelled ? String(label) : key;
		const member: unknown = key === labelled ? chosenOf(value, entered) : entered;
		// A label says what is asked, and nothing of the person.
		const mark = isList || member === label ? undefined : markOf(name, member, around);
		if (mark) yield { ...mark, isOwn };
		const isInside = isList
			? isOfOne(value)
			: isOwnName(name) || !(OF_OTHERS.test(name) || isOfOther(unpacked(member), row));
		const inner = isList ? (channelOf(member) ?? around.at(-1) ?? '') : name;
		yield* marksIn(member, isOwn && isInside, { around: [...around, inner], row });
	}
}

/** The marks in a row that do not say no; its days count where no mark of the person answers, nor did the column that was chosen. */
export function marksOf(row: unknown, isAnswered = false): Mark[] {
	const all = Array.from(marksIn(row));
	const isOfPerson = ({ name, isOwn }: Mark): boolean => isOwn && !OF_OTHERS.test(name);
	const counts = !isAnswered && !all.some((mark) => mark.says === false && isOfPerson(mark));
	return all.filter(({ says, isDate }) => says !== false && (counts || !isDate));
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
		isMarkColumn(name) || isRefusedIn(name, member) || isOpenConsent(name, member);
	if (Array.isArray(value))
		return value
			.filter((each: unknown) => {
				const [label = '', member = ''] = labelOf(Object(each) as object);
				return !isMark(label, get(each, member));
			})
			.map(kept);
	if (!isRecord(value)) return value;
	const told = Object.entries(value).filter(
		([name, member]) => !isMark(name, member) && !isHidden(member),
	);
	return Object.fromEntries(told.map(([name, member]) => [name, kept(member)]));
}
