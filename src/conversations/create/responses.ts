import countBy from 'lodash/countBy';
import range from 'lodash/range';
import uniq from 'lodash/uniq';
import { isRecord, parsedOrSame } from '../../core/json';
import { textOf, UUID } from '../../core/text';
import type { NotTaken, Verdict } from '../../core/verdict';
import { isNothing, namedAs, refusalIn, withoutLists } from '../../core/verdict';
import type { PlannedConversation } from './readRows';

type Planned = readonly PlannedConversation[];

/** Where responses put the conversations of a request, and what they say of it as a whole. */
const WRAPPER =
	/^(data|results?|response|headers?|body|payload|summary|meta(data)?|status|outcome|batch|conversations?)$/i;

/** The conversation IDs in a response that belongs to one conversation; a plain text is an ID itself. */
function idsIn(reply: unknown): readonly string[] {
	if (typeof reply === 'string') return UUID.test(reply) ? [reply] : [];
	if (!isRecord(reply)) return [];
	const own = [reply['id'], reply['conversationId']].find((id) => typeof id === 'string');
	const wrapped = Object.entries(reply).filter(([name]) => WRAPPER.test(name));
	return uniq([own ?? [], wrapped.map(([, inner]) => idsIn(inner))].flat(2));
}

/** The conversation ID in a response that belongs to one conversation, or null where it has none, or several. */
export function conversationIdOf(reply: unknown): string | null {
	const [id = null, ...others] = idsIn(reply);
	return others.length === 0 ? id : null;
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

/**
 * What a response says of each conversation of its request; the interface does not show it. An item of a list belongs to the
 * conversation whose number it names, or to the one at its place in the only list. What is neither a plain yes nor a plain no is
 * unknown.
 */
export function judgeReply(response: unknown, planned: Planned): readonly Verdict[] {
	const reply = parsedOrSame(response);
	const count = planned.length;
	const all = (verdict: Verdict): readonly Verdict[] => planned.map(() => verdict);
	// It says itself which conversation it is of.
	if (isRecord(reply) && idsIn(reply).length > 0)
		return all(count === 1 ? itemVerdict(reply) : UNCLEAR);
	const lists: readonly List[] = Array.isArray(reply)
		? [{ items: reply, as: 'taken' }]
		: listsIn(reply, count);
	if (lists.length === 0)
		return all(refusalIn(reply, count) ?? { kind: 'accepted', reply, paired: count === 1 });
	const items = lists.flatMap(({ items: own, as }) => own.map((item) => markedAs(item, as)));
	const ids = items.map(conversationIdOf);
	const counts = countBy(ids);
	const hasIds = ids.some((id) => id !== null);
	const verdicts = items.map((item, i) =>
		itemVerdict(item, !hasIds || (ids[i] !== null && counts[String(ids[i])] === 1)),
	);
	const rest = withoutLists(reply, (list) => lists.some(({ items: own }) => own === list));
	const isTaken = verdicts.some(({ kind }) => kind === 'accepted');
	const isMixed = verdicts.some(({ kind }) => kind !== 'accepted');
	// Beside an item that was taken, the rest has to say no.
	const refusal = refusalIn(isTaken ? { accepted: true, rest } : rest, count);
	const rows = rowsOf(items, lists.length, planned);
	if (rows === undefined) {
		const kinds = uniq(verdicts.map(({ kind }) => kind));
		const isWhole = items.length === count && kinds.length === 1;
		// All were taken, in an order that is not known.
		if (isWhole && kinds[0] === 'accepted' && lists.length === 1 && !refusal)
			return all({ kind: 'accepted', reply: items, paired: false });
		const isNo = items.length === 0 || (count === 1 && kinds.join() === 'rejected');
		// Whom it lists otherwise, it may have begun.
		return all((isNo ? (refusal ?? verdicts[0]) : undefined) ?? UNCLEAR);
	}
	return planned.map((_, row) => {
		const [told = MISSING, ...others] = verdicts.filter((__, i) => rows[i] === row);
		if (others.length > 0) return UNCLEAR;
		// What says no as a whole holds but for those whom it names as begun, where it names others that were not.
		const isNamed = told.kind !== 'accepted' || (isMixed && idsIn(told.reply).length > 0);
		return refusal === undefined || isNamed ? told : UNCLEAR;
	});
}

/** What an item says; of several with IDs, one that has none of its own is not known to have begun. */
function itemVerdict(item: unknown, isOwn = true): Verdict {
	const refusal = item === null ? UNCLEAR : refusalIn(item, 1);
	// What failed has no ID.
	if (refusal) return idsIn(item).length > 0 ? { ...refusal, kind: 'unknown' } : refusal;
	return isOwn ? { kind: 'accepted', reply: item, paired: true } : UNCLEAR;
}

/** A list in a response, and what its name says of its items. */
interface List {
	readonly items: readonly unknown[];
	readonly as: ReturnType<typeof namedAs>;
}

const GOOD =
	/^(conversations|data|items|results?|created|accepted|(conversation_?)?ids|list|records|calls|started|queued|success(ful|es)?)$/i;

/** The lists of conversations in an object: those of failures, and the others by their names or by what they hold. */
const listsIn = (reply: unknown, count: number): List[] =>
	Object.entries(isRecord(reply) ? reply : {}).flatMap(([name, items]): List[] => {
		if (!Array.isArray(items)) return WRAPPER.test(name) ? listsIn(items, count) : [];
		const as = namedAs(name);
		const isRead = as === 'taken' ? GOOD.test(name) || isOfItems(items, count) : items.length > 0;
		return isRead ? [{ items, as }] : [];
	});

/** Whether a list by any name is of conversations: so many as were sent, or each with an ID. */
const isOfItems = (list: readonly unknown[], count: number): boolean =>
	list.length > 0 &&
	list.every((item) => isRecord(item) || conversationIdOf(item) !== null) &&
	(list.length === count || list.every((item) => idsIn(item).length > 0));

/** An item of a list of failures has failed, too. */
const markedAs = (item: unknown, as: List['as']): unknown =>
	as === 'taken'
		? item
		: isNothing(item)
			? null
			: { ...(isRecord(item) ? item : { message: item }), [as]: true };

/**
 * The rows of items: those whose numbers they name, or else the rows in their order, where one list has as many items as there
 * are rows and none names another place. Undefined where it is not plain.
 */
function rowsOf(
	items: readonly unknown[],
	lists: number,
	planned: Planned,
): readonly number[] | undefined {
	const rows = new Map<string, number[]>();
	for (const [row, { numbers }] of planned.entries())
		for (const number of uniq(numbers.map(digitsOf)))
			rows.set(number, [...(rows.get(number) ?? []), row]);
	// An item that names several numbers, or none, is no one's.
	const named = items.map((item) => numbersIn(item, rows).join());
	const isNamed = named.some((number) => number !== '');
	const isInOrder =
		lists === 1 &&
		items.length === planned.length &&
		items.every((item, i) => {
			const number = named[i] ?? '';
			if (number !== '') return rows.get(number)?.includes(i);
			// A chat has no number that could be named.
			const isOpen = (!isNamed && !isOfOther(item, i, planned)) || planned[i]?.numbers.length === 0;
			return isOpen && [undefined, i, i + 1].some((place) => positionOf(item) === place);
		});
	if (isInOrder) return range(items.length);
	if (isNamed)
		return named.map((number, i) => {
			// A number of several rows keeps its order.
			const earlier = named.slice(0, i).filter((other) => other === number).length;
			const own = rows.get(number) ?? [];
			return own[earlier] ?? own.at(-1) ?? -1;
		});
	return undefined;
}

const NUMBER = /^(to|recipient|(to_?)?phone(_?number)?|number)$/i;

/** Whether an item names the number of another row than that of its place, in another spelling: by its last digits. */
const isOfOther = (item: unknown, place: number, planned: Planned): boolean =>
	Object.entries(isRecord(item) ? item : {}).some(([name, value]) => {
		const end = NUMBER.test(name) ? textOf(value).replace(/\D/g, '').slice(-4) : '';
		const rows = planned.flatMap(({ numbers }, row) =>
			end.length === 4 && numbers.some((number) => digitsOf(number).endsWith(end)) ? [row] : [],
		);
		return rows.length > 0 && !rows.includes(place);
	});

const POSITION = /^(index|row|position|row_?index|row_?number|path|field|param|pointer)$/i;

/** The first number in what an item says of its place, as in "conversations[2]". */
function positionOf(item: unknown): number | undefined {
	const place = Object.entries(isRecord(item) ? item : {}).find(([name]) => POSITION.test(name));
	const digits = /\d+/.exec(String(JSON.stringify(place?.[1])))?.[0];
	return digits === undefined ? undefined : Number(digits);
}

const digitsOf = (number: unknown): string => String(number).replace(/\D/g, '');

/** The digits of the numbers of the request that an item names: its own, or those in whatever member. */
function numbersIn(item: unknown, known: ReadonlyMap<string, unknown>): readonly string[] {
	const { toPhoneNumber, phoneNumber } = Object(item) as Readonly<Record<string, unknown>>;
	const own = digitsOf(toPhoneNumber ?? phoneNumber);
	return known.has(own) ? [own] : uniq(digitsIn(item).filter((digits) => known.has(digits)));
}

/** What its sender wrote: that may name other numbers of the request. */
const OWN = /^(dynamic_?)?variables$|^meta_?data$/i;

/** The digits of each value in an item, however deep, but for those that its sender chose. */
const digitsIn = (item: unknown): string[] =>
	typeof item === 'object' && item !== null
		? Object.entries(item).flatMap(([name, inner]) => (OWN.test(name) ? [] : digitsIn(inner)))
		: [digitsOf(item)];
