import difference from 'lodash/difference';
import isEmpty from 'lodash/isEmpty';
import map from 'lodash/map';
import omitBy from 'lodash/omitBy';
import partition from 'lodash/partition';
import range from 'lodash/range';
import uniq from 'lodash/uniq';
import words from 'lodash/words';
import { isRecord, parsedOrSame } from '../../core/json';
import { UUID } from '../../core/schemas';
import type { Verdict } from '../../bulk/verdict';
import { refusalIn, wholeVerdict } from '../../bulk/verdict';
import type { PlannedConversation } from './readRows';

/** The text in a member of an object: without a schema, because there is one for every row. */
function textIn(value: unknown, name: string): string | undefined {
	const member: unknown = isRecord(value) ? value[name] : undefined;
	return typeof member === 'string' ? member : undefined;
}

/** The conversation ID in a response that belongs to one conversation, or null; a plain text is an ID itself. */
export function conversationIdOf(reply: unknown): string | null {
	if (typeof reply === 'string') return UUID.test(reply) ? reply : null;
	return textIn(reply, 'id') ?? textIn(reply, 'conversationId') ?? null;
}

/** The items of a response: those of conversations, and those that it lists as failed. */
interface Items {
	readonly good: readonly unknown[];
	readonly bad: readonly unknown[];
	readonly hasList: boolean;
}

const GOOD =
	/^(conversations|data|items|results?|created|accepted|(conversation_?)?ids|list|records|calls|started|queued|success(ful|es)?)$/i;
/** Of the words of a name: "defaults" and "failoverRegions" say nothing bad. */
const BAD =
	/(^| )(error|fail(?!over|back)|reject|invalid|refus|denied|declin|skip|ignor|block|barred|duplicat|suppress|exclu|unsuccess|unreach|fault|problem|violation|not ?(created|accepted|started|sent|call|processed|queued))/;
/** Where responses put what they say of a request as a whole. */
const WRAPPER =
	/^(data|results?|response|headers?|body|payload|summary|counts?|stats|totals?|meta(data)?|status|outcome|batch|conversations?)$/i;

/**
 * What a response says of each conversation of its request; the interface does not show it. A list of that length is paired by the
 * phone numbers that it names, or else in order. Fewer items leave those that cannot be told unknown.
 */
export function judgeReply(
	response: unknown,
	planned: readonly PlannedConversation[],
): readonly Verdict[] {
	const reply = keyedAsLists(parsedOrSame(response));
	const count = planned.length;
	const all = (verdict: Verdict): readonly Verdict[] => planned.map(() => verdict);
	const inside = unwrapped(reply);
	// It says itself which conversation it is of.
	if (isRecord(inside) && conversationIdOf(inside) !== null)
		return count === 1 ? [itemVerdict(inside)] : all(UNCLEAR);
	const { good, bad, hasList } = itemsIn(reply, count);
	// The first no, wherever it stands; lists are judged by their items.
	const refusal = [reply, ...wrapped(reply)]
		.map((part) => wholeVerdict(hasList ? withoutLists(part) : part, count))
		.find(({ kind }) => kind !== 'accepted');
	if (!hasList) return all(refusal ?? { kind: 'accepted', reply, paired: count === 1 });
	const verdicts = pair({ good, bad }, planned);
	// Whom it lists it may have begun.
	if (!verdicts) return all(good.length > 0 ? UNCLEAR : (refusal ?? UNCLEAR));
	if (refusal === undefined) return verdicts;
	// What says no as a whole holds for each that it does not name as begun.
	const isNamed = (verdict: Verdict): boolean =>
		verdict.kind === 'accepted' && conversationIdOf(verdict.reply) !== null;
	const unnamed = verdicts.some(isNamed) ? UNCLEAR : refusal;
	return verdicts.map((verdict) =>
		verdict.kind !== 'accepted' || isNamed(verdict) ? verdict : unnamed,
	);
}

/** Pairs the items of a response with the conversations; undefined where it is not clear which belongs to which. */
function pair(
	{ good, bad }: Pick<Items, 'good' | 'bad'>,
	planned: readonly PlannedConversation[],
): readonly Verdict[] | undefined {
	const shown: Shown = {
		first: firstPosition([...good, ...bad], planned.length),
		rows: rowsOfNumbers(planned),
	};
	const everyone = range(planned.length);
	const listed = rowsOf(bad, everyone, shown)?.map((row, i) => ({ row, item: bad[i] }));
	const refused = listed?.filter(({ item }) => !saysNothing(item)) ?? [];
	const others = difference(everyone, map(refused, 'row'));
	const begun = rowsOf(good, others, shown);
	const verdicts = withoutGaps(good.map(itemVerdict));
	if (listed && begun && refused.length + begun.length > 0)
		return everyone.map((row) => {
			const told = [
				...refused.filter((each) => each.row === row).map(({ item }) => badVerdict(item)),
				...verdicts.filter((_, i) => begun[i] === row),
			];
			return told.length > 1 ? UNCLEAR : (told[0] ?? MISSING);
		});
	// All were taken, in an order that is not known.
	const isFine = bad.length === 0 && verdicts.every(({ kind }) => kind === 'accepted');
	return isFine && good.length === planned.length
		? planned.map(() => ({ kind: 'accepted', reply: good, paired: false }))
		: undefined;
}

/** A response whose items stand under their positions or numbers, as one with lists. */
function keyedAsLists(reply: unknown, depth = 0): unknown {
	// A conversation may have such members itself, e.g. its variables.
	if (!isRecord(reply) || depth > MAX_DEPTH || conversationIdOf(reply) !== null) return reply;
	const members = Object.entries(reply);
	if (members.length === 0 || !members.every(([name]) => /^\+?\d+$/.test(name)))
		return Object.fromEntries(members.map(([name, each]) => [name, keyedAsLists(each, depth + 1)]));
	return members.map(([name, each]) => {
		const item = isRecord(each) ? each : { status: each };
		return name.length < MIN_NUMBER
			? { index: Number(name), ...item }
			: { toPhoneNumber: name, ...item };
	});
}

const MAX_DEPTH = 3;
const MIN_NUMBER = 8;

/** What stands inside of the wrappers of a response. */
const wrapped = (reply: unknown): Array<Readonly<Record<string, unknown>>> =>
	Object.entries(isRecord(reply) ? reply : {}).flatMap(([name, value]) =>
		WRAPPER.test(name) && isRecord(value) ? [value, ...wrapped(value)] : [],
	);

const unwrapped = (reply: unknown): unknown =>
	wrapped(reply).reduce<unknown>((whole, inner) => ({ ...(whole as object), ...inner }), reply);

const withoutLists = (reply: unknown): unknown =>
	isRecord(reply) ? omitBy(reply, Array.isArray) : undefined;

const UNCLEAR: Verdict = {
	kind: 'unknown',
	message:
		'The response does not show which conversations of its request the service took, so it is unknown',
};

const MISSING: Verdict = {
	kind: 'unknown',
	message:
		'The service did not mention this conversation in its response, so it is unknown whether it took it',
};

function itemVerdict(item: unknown): Verdict {
	if (item === null) return UNCLEAR;
	const refusal = [item, ...wrapped(item)].map(refusalIn).find((each) => each !== undefined);
	if (refusal === undefined) return { kind: 'accepted', reply: item, paired: true };
	// What failed has no ID.
	return refusal.kind === 'unknown' || conversationIdOf(item) === null
		? refusal
		: {
				kind: 'unknown',
				message: `The service named a conversation, and an error: ${refusal.message}`,
			};
}

const saysNothing = (item: unknown): boolean =>
	!item || (typeof item === 'object' && isEmpty(item));

function badVerdict(item: unknown): Verdict {
	if (isRecord(item) && conversationIdOf(item) !== null) return UNCLEAR;
	const said =
		textIn(item, 'message') ?? (typeof item === 'string' ? item : refusalIn(item)?.message);
	return { kind: 'rejected', message: said ?? 'The service did not take this one' };
}

function itemsIn(reply: unknown, count: number): Items {
	if (Array.isArray(reply)) return { good: reply, bad: [], hasList: true };
	if (!isRecord(reply)) return { good: [], bad: [], hasList: false };
	const lists = Object.entries(Object(unwrapped(reply)) as object).flatMap(([name, value]) =>
		Array.isArray(value) ? [{ name, value: value as readonly unknown[] }] : [],
	);
	const [bad, others] = partition(lists, ({ name }) =>
		BAD.test(words(name).join(' ').toLowerCase()),
	);
	const named = others.filter(({ name }) => GOOD.test(name));
	const fitting = others.filter(({ value }) => isListOfItems(value, count));
	const [good] = named.length > 0 ? named : fitting.length === 1 ? fitting : [];
	const refused = bad.flatMap(({ value }) => value);
	return {
		good: good?.value ?? [],
		bad: refused,
		hasList: good !== undefined || refused.length > 0,
	};
}

/** Whether a list by any name is of conversations: so many as were sent, or each with an ID or a number. */
const isListOfItems = (list: readonly unknown[], count: number): boolean =>
	list.length > 0 &&
	// One conversation may hold lists of its own, such as its tags.
	list.every((item) => isRecord(item) || conversationIdOf(item) !== null) &&
	(list.length === count ||
		list.every((item) => conversationIdOf(item) !== null || numberIn(item) !== undefined));

const digitsOf = (number: string): string => number.replace(/\D/g, '');

/** Of several items with IDs, one without an ID, or with that of another, is not known to have begun. */
function withoutGaps(items: readonly Verdict[]): readonly Verdict[] {
	const ids = items.map((item) => (item.kind === 'accepted' ? conversationIdOf(item.reply) : null));
	const named = ids.filter((id) => id !== null);
	if (named.length === 0) return items;
	return items.map((item, i) => {
		const isOne = ids[i] !== null && named.filter((id) => id === ids[i]).length === 1;
		return item.kind !== 'accepted' || isOne ? item : UNCLEAR;
	});
}

const POSITION = /^(index|row|position|rowindex|rownumber)$/i;

const positionOf = (item: unknown): unknown =>
	Object.entries(isRecord(item) ? item : {}).find(([name]) => POSITION.test(name))?.[1];

/** From where the items of a response count: 0 or 1; undefined where they do not show it. */
function firstPosition(items: readonly unknown[], count: number): number | undefined {
	const named = items.map(positionOf);
	return named.includes(0) ? 0 : named.includes(count) ? 1 : undefined;
}

/** What shows to which rows items belong: from where they count, and the rows of each number. */
interface Shown {
	readonly first: number | undefined;
	readonly rows: ReadonlyMap<string, readonly number[]>;
}

/**
 * The rows of items: those whose positions or numbers they all name, or else the ones that are left, in order, where there are as
 * many and no item names the number of another. Items of others have the row -1.
 */
function rowsOf(
	items: readonly unknown[],
	left: readonly number[],
	{ first, rows }: Shown,
): readonly number[] | undefined {
	const positions = items.map(positionOf).filter(Number.isInteger);
	if (first !== undefined && positions.length === items.length)
		return positions.map((position) => Number(position) - first);
	const numbers = items.map((item) => numberIn(item, rows));
	const known = numbers.map((number = '') => rows.get(number) ?? []);
	if (!numbers.includes(undefined) && known.some((each) => each.length > 0))
		// A number of several rows keeps its order.
		return known.map(
			(each, i) => each[numbers.slice(0, i).filter((n) => n === numbers[i]).length] ?? -1,
		);
	const isInOrder =
		items.length === left.length &&
		left.every((row, i) => numbers[i] === undefined || known[i]?.includes(row) === true);
	return items.length === 0 ? [] : isInOrder ? left : undefined;
}

function rowsOfNumbers(planned: readonly PlannedConversation[]): Shown['rows'] {
	const rows = new Map<string, number[]>();
	for (const [row, { numbers }] of planned.entries())
		for (const number of uniq(numbers.map(digitsOf)))
			rows.set(number, [...(rows.get(number) ?? []), row]);
	return rows;
}

/** The digits of the number that an item names: the one that was sent, in whatever member, or that of the call. */
function numberIn(
	item: unknown,
	known: ReadonlyMap<string, unknown> = new Map(),
): string | undefined {
	const own = textIn(item, 'toPhoneNumber') ?? textIn(item, 'phoneNumber');
	if (own !== undefined && known.has(digitsOf(own))) return digitsOf(own);
	const sent = uniq(textsIn(item).map(digitsOf)).filter((digits) => known.has(digits));
	if (sent.length > 0) return sent.length === 1 ? sent[0] : undefined;
	return own === undefined ? undefined : digitsOf(own);
}

/** The texts and numbers in an item, however deep. */
function textsIn(item: unknown): string[] {
	if (typeof item === 'object' && item !== null) return Object.values(item).flatMap(textsIn);
	return typeof item === 'string' || typeof item === 'number' ? [String(item)] : [];
}
