import omitBy from 'lodash/omitBy';
import partition from 'lodash/partition';
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
const BAD =
	/error|fail|reject|invalid|refuse|denied|declined|skipped|ignored|blocked|barred|duplicate|suppressed|excluded|unsuccessful|not_?(created|accepted|started|sent|called|processed|queued|call)|unreachable|fault|problem|violation/i;
/** Where responses put what they say of a request as a whole. */
const WRAPPER =
	/^(data|results?|response|body|payload|summary|counts?|stats|totals?|meta(data)?|status|outcome|batch|conversations?)$/i;

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
	const items = withoutGaps([...good.map(itemVerdict), ...bad.map(badVerdict)]);
	const positions = positionsIn([...good, ...bad], planned.length);
	if (positions) return planned.map((_, i) => items[positions.indexOf(i)] ?? MISSING);
	const known = new Set(planned.flatMap((each) => each.numbers.map(digitsOf)));
	const numbers = [...good, ...bad].map((item) => numberIn(item, known));
	const isNumbered = numbers.every((number) => number !== undefined);
	if (isNumbered && numbers.some((number) => known.has(number)))
		return byNumber(items, numbers, planned);
	if (items.length !== planned.length || (good.length > 0 && bad.length > 0)) return undefined;
	// The numbers of others tell that it is another order, or another number, such as that of the agent.
	if (!isNumbered) return items;
	const isFine = items.every(({ kind }) => kind === 'accepted');
	return isFine ? items.map(() => ({ kind: 'accepted', reply: good, paired: false })) : undefined;
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
		return name.length < MIN_NUMBER ? item : { toPhoneNumber: name, ...item };
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
		'The service returned another number of items than it was sent, so it is unknown which it took',
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

function badVerdict(item: unknown): Verdict {
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
	const [bad, others] = partition(lists, ({ name }) => BAD.test(name));
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

/** The positions that all items name, counted from 0; undefined where they name none, or it is not clear from where they count. */
function positionsIn(items: readonly unknown[], count: number): readonly number[] | undefined {
	const named = items.map((item) => {
		const member = Object.entries(isRecord(item) ? item : {}).find(([name]) => POSITION.test(name));
		return typeof member?.[1] === 'number' ? member[1] : NaN;
	});
	const isWhole = new Set(named).size === named.length && named.every(Number.isInteger);
	if (items.length === 0 || !isWhole) return undefined;
	const first = named.includes(0) ? 0 : named.includes(count) ? 1 : undefined;
	if (first === undefined) return undefined;
	return named.map((position) => position - first);
}

/** The digits of the number that an item names: one that was sent, in whatever member, or that of the call. */
function numberIn(item: unknown, known: ReadonlySet<string> = new Set()): string | undefined {
	const inner = isRecord(item) ? item['conversation'] : undefined;
	const texts = [item, inner].flatMap((each) => Object.values(isRecord(each) ? each : {}));
	const sent = texts.find(
		(text): text is string => typeof text === 'string' && known.has(digitsOf(text)),
	);
	if (sent !== undefined) return digitsOf(sent);
	const number =
		textIn(item, 'toPhoneNumber') ?? textIn(item, 'phoneNumber') ?? textIn(inner, 'toPhoneNumber');
	return number === undefined ? undefined : digitsOf(number);
}

/** Pairs items that name their numbers with the conversations; a number of several rows keeps its order. */
function byNumber(
	items: readonly Verdict[],
	numbers: ReadonlyArray<string | undefined>,
	planned: readonly PlannedConversation[],
): readonly Verdict[] {
	const left = new Map<string, Verdict[]>();
	for (const [i, number = ''] of numbers.entries())
		left.set(number, [...(left.get(number) ?? []), items[i] ?? UNCLEAR]);
	return planned.map(
		({ numbers: [number = ''] }) => left.get(digitsOf(number))?.shift() ?? MISSING,
	);
}
