import castArray from 'lodash/castArray';
import countBy from 'lodash/countBy';
import mapValues from 'lodash/mapValues';
import range from 'lodash/range';
import uniq from 'lodash/uniq';
import { isRecord, parsedOrSame } from '../../core/json';
import { UUID } from '../../core/schemas';
import type { NotTaken, Verdict } from '../../bulk/verdict';
import { hidesNo, isNothing, isWholeNo, namedAs, partsOf, refusalIn } from '../../bulk/verdict';
import type { PlannedConversation } from './readRows';

type Planned = readonly PlannedConversation[];

/** The text in a member of an object: without a schema, because there is one for every row. */
function textIn(value: unknown, name: string): string | undefined {
	const member: unknown = isRecord(value) ? value[name] : undefined;
	return typeof member === 'string' ? member : undefined;
}

/** The conversation IDs in a response that belongs to one conversation; a plain text is an ID itself. */
const idsIn = (reply: unknown): readonly string[] =>
	uniq(
		partsOf(reply).flatMap((part) =>
			typeof part === 'string' && UUID.test(part)
				? part
				: (textIn(part, 'id') ?? textIn(part, 'conversationId') ?? []),
		),
	);

/** The conversation ID in a response that belongs to one conversation, or null where it has none, or several. */
export function conversationIdOf(reply: unknown): string | null {
	const [id, ...others] = idsIn(reply);
	return id !== undefined && others.length === 0 ? id : null;
}

/**
 * What a response says of each conversation of its request; the interface does not show it. What is neither a plain yes nor a
 * plain no is unknown.
 */
export function judgeReply(response: unknown, planned: Planned): readonly Verdict[] {
	const reply = parsedOrSame(response);
	const count = planned.length;
	const all = (verdict: Verdict): readonly Verdict[] => planned.map(() => verdict);
	// It says itself which conversation it is of.
	if (isRecord(reply) && idsIn(reply).length > 0)
		return all(count === 1 ? itemVerdict(reply) : UNCLEAR);
	if (isKeyed(reply)) return all(UNCLEAR);
	const read = listsIn(reply, count);
	const lists = read.map(({ items, as }) =>
		as === 'taken' ? items : items.map((item) => marked(item, as)),
	);
	const rest = withoutLists(reply, new Set(read.map(({ items }) => items)));
	const refusal = refusalIn(rest, count) ?? (hidesNo(rest) ? UNCLEAR : undefined);
	if (lists.length === 0) return all(refusal ?? { kind: 'accepted', reply, paired: count === 1 });
	const items = lists.flat();
	const verdicts = verdictsOf(items);
	const isTaken = verdicts.every(({ kind }) => kind === 'accepted');
	const rows = rowsOf(lists, planned);
	if (rows)
		return planned.map((_, row) => {
			const [told = MISSING, ...others] = verdicts.filter((__, i) => rows[i] === row);
			if (others.length > 0) return UNCLEAR;
			// What says no as a whole holds but for those whom it names as begun.
			const isNamed = told.kind !== 'accepted' || idsIn(told.reply).length > 0;
			return refusal === undefined || isNamed ? told : UNCLEAR;
		});
	// All were taken, in an order that is not known.
	if (isTaken && lists.length === 1 && items.length === count && !refusal)
		return all({ kind: 'accepted', reply: items, paired: false });
	// Whom it lists, it may have begun.
	const isPlain = items.every((item) => hasFailed(item) && isWholeNo(item, count));
	return all(isPlain ? (refusal ?? UNCLEAR) : UNCLEAR);
}

const UNCLEAR: NotTaken = {
	kind: 'unknown',
	message:
		'The response does not show which conversations of its request the service took, so it is unknown',
};

const MISSING: NotTaken = {
	kind: 'unknown',
	message:
		'The service did not mention this conversation in its response, so it is unknown whether it took it',
};

function itemVerdict(item: unknown): Verdict {
	if (item === null) return UNCLEAR;
	const refusal = refusalIn(item, 1);
	if (refusal === undefined)
		return hidesNo(item) ? UNCLEAR : { kind: 'accepted', reply: item, paired: true };
	// What failed has no ID.
	return idsIn(item).length === 0 ? refusal : { ...refusal, kind: 'unknown' };
}

/** What each item says; of several with IDs, one without an ID, or with that of another, is not known to have begun. */
function verdictsOf(items: readonly unknown[]): readonly Verdict[] {
	const ids = items.map(conversationIdOf);
	const counts = countBy(ids);
	const isNamed = ids.some((id) => id !== null);
	return items.map((item, i) => {
		const verdict = itemVerdict(item);
		const isOne = ids[i] !== null && counts[String(ids[i])] === 1;
		return verdict.kind !== 'accepted' || !isNamed || isOne ? verdict : UNCLEAR;
	});
}

/** Whether items stand under their positions or numbers, which may be in any order. */
const isKeyed = (reply: unknown): boolean =>
	isRecord(reply) &&
	idsIn(reply).length === 0 &&
	Object.entries(reply).some(([name, inner]) => /^\+?\d+$/.test(name) || isKeyed(inner));

/** A response without the lists that are read; any other may show who was called. */
const withoutLists = (reply: unknown, read: ReadonlySet<unknown>): unknown =>
	isRecord(reply)
		? mapValues(reply, (each) => withoutLists(each, read))
		: read.has(reply)
			? null
			: reply;

const GOOD =
	/^(conversations|data|items|results?|created|accepted|(conversation_?)?ids|list|records|calls|started|queued|success(ful|es)?)$/i;

/** A list in a response, and what its name says of its items: an item of a list of failures has failed, too. */
interface List {
	readonly name: string;
	readonly items: readonly unknown[];
	readonly as: ReturnType<typeof namedAs>;
}

/** The lists of conversations in a response. */
function listsIn(reply: unknown, count: number): readonly List[] {
	if (Array.isArray(reply)) return [{ name: '', items: reply, as: 'taken' }];
	const members = partsOf(reply).flatMap((part) => Object.entries(isRecord(part) ? part : {}));
	const lists = members.flatMap(([name, items]): List[] =>
		Array.isArray(items) ? [{ name, items, as: namedAs(name) }] : [],
	);
	const bad = lists.filter(({ as, items }) => as !== 'taken' && items.length > 0);
	const good = lists.filter(({ as }) => as === 'taken');
	const named = good.filter(({ name }) => GOOD.test(name));
	const taken = named.length > 0 ? named : good.filter(({ items }) => isListOfItems(items, count));
	return [...taken, ...bad];
}

const marked = (item: unknown, as: string): unknown =>
	isNothing(item) ? null : { ...(isRecord(item) ? item : { message: item }), [as]: true };

const hasFailed = (item: unknown): boolean => isRecord(item) && item['failed'] === true;

/** Whether a list by any name is of conversations: so many as were sent, or each with an ID or a number. */
const isListOfItems = (list: readonly unknown[], count: number): boolean =>
	list.length > 0 &&
	// One conversation may hold lists of its own, such as its tags.
	list.every((item) => isRecord(item) || conversationIdOf(item) !== null) &&
	(list.length === count ||
		list.every((item) => idsIn(item).length > 0 || ownNumber(item) !== undefined));

const POSITION = /^(index|row|position|rowindex|rownumber)$/i;

const positionOf = (item: unknown): unknown =>
	Object.entries(isRecord(item) ? item : {}).find(([name]) => POSITION.test(name))?.[1];

/**
 * The rows of the items in lists: those whose numbers they name, or else the rows in their order, where one list has as many items
 * and none names another number or is out of its own order. Undefined where it is not plain.
 */
function rowsOf(
	lists: ReadonlyArray<readonly unknown[]>,
	planned: Planned,
): readonly number[] | undefined {
	const items = lists.flat();
	const rows = new Map<string, number[]>();
	for (const [row, { numbers }] of planned.entries())
		for (const number of uniq(numbers.map(digitsOf)))
			rows.set(number, [...(rows.get(number) ?? []), row]);
	const named = items.map((item) => numbersIn(item, rows));
	if (named.every(({ length }) => length === 1) && named.some(([number]) => rows.has(number ?? '')))
		return named.map(([number = ''], i) => {
			// A number of several rows keeps its order.
			const earlier = named.slice(0, i).filter(([other]) => other === number).length;
			const own = rows.get(number) ?? [];
			return own[earlier] ?? own.at(-1) ?? -1;
		});
	const isInOrder =
		lists.length === 1 &&
		items.length === planned.length &&
		named.every(
			(numbers, row) =>
				numbers.length === 0 || numbers.some((number) => rows.get(number)?.includes(row)),
		) &&
		items.every((item, i) => [undefined, i, i + 1].some((place) => positionOf(item) === place)) &&
		// The failures of one may be as many as the conversations.
		items.every((item) => items.length === 1 || !hasFailed(item) || isWholeNo(item, items.length));
	return isInOrder ? range(items.length) : undefined;
}

/** Whether a member holds what the sender wrote: that may name other numbers of the request. */
const isOwn = (name: string): boolean => /^(dynamic_?)?variables$|^meta_?data$/i.test(name);

const digitsOf = (number: string): string => number.replace(/\D/g, '');

const ownNumber = (item: unknown): string | undefined =>
	textIn(item, 'toPhoneNumber') ?? textIn(item, 'phoneNumber');

/** The digits of the numbers that an item names: its own, or those of the request that stand in whatever member. */
function numbersIn(item: unknown, known: ReadonlyMap<string, unknown>): readonly string[] {
	const own = castArray(ownNumber(item) ?? []).map(digitsOf);
	const sent = textsIn(item)
		.map(digitsOf)
		.filter((digits) => known.has(digits));
	return own.some((digits) => known.has(digits)) ? own : uniq([...own, ...sent]);
}

/** The texts and numbers in an item, however deep, but for those that its sender chose. */
function textsIn(item: unknown): string[] {
	if (typeof item === 'object' && item !== null)
		return Object.entries(item).flatMap(([name, inner]) => (isOwn(name) ? [] : textsIn(inner)));
	return typeof item === 'string' || typeof item === 'number' ? [String(item)] : [];
}
