import sum from 'lodash/sum';
import { isRecord } from '../core/json';
import { shorten } from '../core/text';

/** What a 2xx response says of one value; the interface shows neither a response to conversations nor one that says no. */
export type Verdict =
	| { readonly kind: 'accepted'; readonly reply: unknown; readonly paired: boolean }
	| { readonly kind: 'rejected' | 'unknown'; readonly message: string };

type NotTaken = Extract<Verdict, { readonly message: string }>;

/** Words that say no, whatever stands around them, and those of a no that is not certain, or of a part. */
const FAILED_WORD =
	/(?<!^not?)fail(?!edover)|(?<!^not?)error|(?<!^not?)reject|invalid|denied|declined|refused|blocked|forbidden|unauthori[sz]ed|badrequest|not(found|created|accepted|sent|allowed|valid)|unprocessable|exception|unsuccess|insufficient|exceeded|^(nok|ko|bad)$/;
const UNCLEAR_WORD =
	/partial|with(out)?errors?|some|cancel|skip|ignored|expired|suspend|unavailable|unsupported|timeout|timedout|maintenance|simulat|dryrun|mock|preview|sandbox|noop|abort|dropped|discard|suppress|disabled|duplicate|throttl|(rate|over)limit|limitreached|nocredit|unpaid|donotcall|^dnc$|opt(ed)?out|unsubscribed/;
const YES_WORD =
	/^(ok|okay|success|successful|succeeded|accepted|created|queued|started|scheduled|initiated|done|complete(d)?|pending|inprogress|true)$/;
const NO_ERROR = /^(|no|none|null|false|ok|0|success|undefined)$/i;
/** What stands around the word of a count: totalCreated, callsStarted, numberOfFailedConversations. */
const COUNTED =
	/num(berof)?|total|count|conversations?|calls?(?!ed)|customers?|items|rows|records|requests/g;
const NOT_TAKEN =
	/^(rejected|fail(ed|ures?)?|errors?|errored|invalid|refused|denied|declined|skipped|ignored|blocked|dropped|discarded|excluded|suppressed|unprocessed|unsuccessful|not(called|created|accepted|processed|queued|sent|started))$/;
const TAKEN =
	/^(accepted|created|started|(en)?queued|succeeded|successful|success|processed|inserted|sent|submitted|dispatched|placed|dialed|initiated|scheduled)$/;
/** What was there before counts beside what is new. */
const NEW = /^(created|inserted)$/;
const KNOWN = /^(updated|upserted|modified|merged|unchanged)$/;
/** What may count anything, unless it counts nothing. */
const ANYTHING = /^(count|total|size|conversations)$/;

/** Members that say yes or no, that tell of an error, that hold a status, and that only talk, by their plain names. */
const SWITCHES = /^(is|was)?(success(ful)?|succeeded|ok|accepted|created|started|queued|valid)$/;
/** Those of what may only come later. */
const LATER =
	/^(is|was)?(allowed|authori[sz]ed|authenticated|sent|called|done|initiated|scheduled|processed|delivered|acknowledged|received|completed)$/;
const ERRORS =
	/^(err|errors?|exceptions?|faults?|problems?|violations?|failures?|reject(ion)?|decline|refusal)(s?(no|msg|messages?|codes?|descriptions?|details?|reasons?))?$/;
const ERROR_FLAGS = /^(is|has|was)?(errors?|failed|rejected|blocked|denied|declined|refused)$/;
const STATUSES =
	/^(http|conversation|response)?(status|statuscode|statustext|code|state|result|outcome|type|kind|response|data)$/;
const TALK = /^(message|msg|detail|details|title|description|issues|reason)$/;
const UNCLEAR_FLAGS =
	/^(is|was)?((rate)?limited|throttled|skipped|ignored|dropped|suppressed|dryrun|simulated|simulation|testmode|mock(ed)?|preview)$/;
const IDS = /^(id|conversationid|jobid|ids|conversationids|conversations?|data|items|results?)$/;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The members of an object by their plain names: a service may write IsSuccess or status_code. */
const plainMembers = (value: object): ReadonlyArray<readonly [string, unknown]> =>
	Object.entries(value).map(([name, member]) => [plain(name), member] as const);

/** What an object says against it: that it was not done, or nothing that is clear; undefined where it says nothing against it. */
export function refusalIn(value: unknown): NotTaken | undefined {
	if (!isRecord(value)) return refusalOf(value);
	const members = plainMembers(value);
	const some = (names: RegExp, test: (member: unknown) => boolean): boolean =>
		members.some(([name, member]) => names.test(name) && test(member));
	const isOff = some(SWITCHES, isNo);
	const hasError =
		some(ERRORS, isError) || some(ERROR_FLAGS, (member) => member === true || member === 'true');
	const isFailed = some(STATUSES, isFailedStatus);
	const isYes = some(SWITCHES, isSaidYes) || some(STATUSES, isSaidYes) || some(TALK, isSaidYes);
	const said = saidIn(members);
	if (isOff || hasError || isFailed)
		return isYes ? unclear(said) : { kind: 'rejected', message: said ?? TAKEN_NOT };
	const isOpen =
		some(STATUSES, isUnclear) ||
		some(LATER, isNo) ||
		some(UNCLEAR_FLAGS, (member) => member === true);
	if (isOpen) return unclear(said);
	const isTalk = some(TALK, (member) => typeof member === 'string' || isError(member));
	return isTalk && !isYes && !some(IDS, (member) => (member ?? '') !== '')
		? unclear(said)
		: undefined;
}

const TAKEN_NOT = 'The service says that it did not take this';

const unclear = (said: string | undefined): NotTaken => ({
	kind: 'unknown',
	message: `The service did not say clearly whether it took this${said === undefined ? '' : `: ${said}`}`,
});

const NO_WORDS = 4;

/** What a bare value says: false, a status word or number is a no; a page, or a sentence with such a word, is unclear. */
function refusalOf(value: unknown): NotTaken | undefined {
	const isLong = typeof value === 'string' && value.trim().split(/\s+/).length > NO_WORDS;
	if (value === 0 || isNo(value) || (!isLong && isFailedStatus(value)))
		return { kind: 'rejected', message: TAKEN_NOT };
	return typeof value === 'string' &&
		(/^\s*</.test(value) || isFailedStatus(value) || isUnclear(value))
		? unclear(shorten(value))
		: undefined;
}

const isNo = (value: unknown): boolean =>
	value === false ||
	value === 0 ||
	(typeof value === 'string' && /^\s*(false|0|no)\s*$/i.test(value));
const isSaidYes = (value: unknown): boolean =>
	value === true || (typeof value === 'string' && YES_WORD.test(plain(value)));
const isUnclear = (value: unknown): boolean =>
	value === 0 || (typeof value === 'string' && UNCLEAR_WORD.test(plain(value)));

function isFailedStatus(status: unknown): boolean {
	if (typeof status === 'string' && FAILED_WORD.test(plain(status)) && !isUnclear(status))
		return true;
	if (status === false || isNo(status)) return status !== 0;
	const number = typeof status === 'string' ? Number(/^\D*(\d{3})\b/.exec(status)?.[1]) : status;
	return typeof number === 'number' && (number < 0 || (number >= 400 && number < 600));
}

/** Counts are judged by themselves before. */
function isError(value: unknown): boolean {
	if (typeof value === 'number') return value !== 0 && (value < 200 || value >= 300);
	if (typeof value === 'string') return !NO_ERROR.test(value.trim());
	if (Array.isArray(value)) return value.length > 0;
	return value === true || (isRecord(value) && Object.keys(value).length > 0);
}

function saidIn(members: ReadonlyArray<readonly [string, unknown]>): string | undefined {
	const textsIn = (names: RegExp): string[] =>
		members.flatMap(([name, member]) => (names.test(name) ? (textIn(member) ?? []) : []));
	const errors = textsIn(ERRORS).filter((text) => !NO_ERROR.test(text));
	const text = [...errors, ...textsIn(TALK)].find((each) => each !== '');
	return text === undefined ? undefined : shorten(text);
}

function textIn(error: unknown): string | undefined {
	const first: unknown = Array.isArray(error) ? error[0] : error;
	if (typeof first === 'string') return first;
	const message: unknown = isRecord(first) ? first['message'] : undefined;
	return typeof message === 'string' ? message : undefined;
}

const PLACE = /\d|^(index|row|position|rowindex|rownumber)$/i;

/** Whether an error tells in its keys which of several it is about, and so not about all of them. */
const namesPlace = (error: unknown): boolean =>
	typeof error === 'object' &&
	error !== null &&
	Object.entries(error).some(
		([name, member]) => (!Array.isArray(error) && PLACE.test(name)) || namesPlace(member),
	);

/** What the numbers of a response say of so many values: all of them not taken, or some, which ones it does not say. */
export function countedVerdict(reply: unknown, count: number): Verdict | undefined {
	if (!isRecord(reply)) return undefined;
	const numbers = plainMembers(reply).flatMap(([name, value]) =>
		value !== '' && (typeof value === 'number' || typeof value === 'string') && Number(value) >= 0
			? [{ name, value: Number(value), word: name.replace(COUNTED, '') }]
			: [],
	);
	const errors = plainMembers(reply).flatMap(([name, value]) => (ERRORS.test(name) ? [value] : []));
	if (count > 1 && errors.some(namesPlace)) return unclear(undefined);
	const valuesOf = (words: RegExp): number[] =>
		numbers.flatMap(({ word, value }) => (words.test(word) ? [value] : []));
	const refused = Math.max(0, ...valuesOf(NOT_TAKEN));
	const known = sum(valuesOf(KNOWN));
	const taken = Math.min(
		count,
		...numbers.flatMap(({ name, word, value }) =>
			TAKEN.test(word) || (value === 0 && ANYTHING.test(name))
				? [value + (NEW.test(word) ? known : 0)]
				: [],
		),
	);
	if (refused === 0 && taken >= count) return undefined;
	if (refused >= count || (taken <= 0 && refused > 0))
		return { kind: 'rejected', message: 'The service says that it took none of its request' };
	const some = Math.max(0, Math.min(taken, count - refused));
	const message = `The service says that it took ${some} of ${count} in its request${some > 0 ? ', and not which' : ''}`;
	return { kind: 'unknown', message };
}

/** What a response says of all its values together; where it says nothing against it, they are accepted. */
export function wholeVerdict(reply: unknown, count: number): Verdict {
	return (
		countedVerdict(reply, count) ?? refusalIn(reply) ?? { kind: 'accepted', reply, paired: false }
	);
}
