import castArray from 'lodash/castArray';
import isEmpty from 'lodash/isEmpty';
import { isRecord } from '../core/json';
import { shorten } from '../core/text';

/** What a 2xx response says of one value; the interface shows neither a response to conversations nor one that says no. */
export type Verdict =
	{ readonly kind: 'accepted'; readonly reply: unknown; readonly paired: boolean } | NotTaken;

/** What speaks against a value: a plain no, or something that leaves it open. */
export interface NotTaken {
	readonly kind: 'rejected' | 'unknown';
	readonly message: string;
}

/** Words in a status, or in the name of a list, that say no, that leave it open, and that say yes; without blanks and signs. */
const NO =
	/(?<!^not?)(fail(?!edover|(over|back)[a-z])|error|reject)|invalid|denied|declined|refused|blocked|forbidden|unauthori[sz]ed|badrequest|not(found|created|accepted|sent|allowed|valid)|unprocessable|exception|unsuccess|insufficient|exceeded|^(nok|ko|bad)$/;
const UNCLEAR =
	/declin|refus|(?<!de)fault|problem|violation|unreach|partial|with(out)?errors?|some|cancel|skip|ignor|expired|suspend|unavailable|unsupported|timed?out|maintenance|simulat|dryrun|mock|preview|sandbox|noop|abort|dropped|discard|suppress|disabled|duplicat|throttl|(rate|over)limit|limitreached|nocredit|unpaid|donotcall|^dnc$|opt(ed)?out|unsubscribed|barred|exclu|not(called|queued|processed)/;
const YES =
	/^(ok|okay|success|successful|succeeded|accepted|created|queued|started|scheduled|initiated|done|completed?|pending|inprogress|true)$/;

/** Names of members: what went wrong, what was done, and what was not done after all. */
const ERRORS =
	/^(err|errors?|errored|exceptions?|faults?|problems?|violations?|fail(ed|ures?)?|reject(ed|ion)?|declined?|refus(ed|al)|denied|blocked|invalid)(s?(no|msg|messages?|codes?|descriptions?|details?|reasons?))?$/;
/** Those that say yes or no, or count: a text there may say anything. */
const FLAGS = /^(errored|failed|rejected|declined|refused|denied|blocked|invalid)$/;
const SWITCHES = /^(success(ful)?|succeeded|ok|accepted|created|started|queued|valid)$/;
const DONE =
	/^(enqueued|processed|inserted|sent|submitted|dispatched|placed|dialed|initiated|scheduled|allowed|authori[sz]ed|authenticated|called|done|delivered|acknowledged|received|completed)$/;
const UNDONE =
	/^((rate)?limited|throttled|skipped|ignored|dropped|discarded|excluded|suppressed|dryrun|simulat(ed|ion)|testmode|mock(ed)?|preview|un(processed|successful)|not(called|created|accepted|processed|queued|sent|started))$/;
const STATUSES =
	/^(http|conversation|response)?(status|statuscode|statustext|code|state|result|outcome|type|kind|response|data)$/;
const TALK = /^(message|msg|detail|details|title|description|issues|reason)$/;
const IDS = /^(id|conversationid|jobid)$/;

/** What may stand around these names: totalCreated, callsStarted, is_valid. */
const AROUND =
	/^(is|has|was)|num(berof)?|total|count|conversations?|calls?(?!ed)|customers?|items|rows|records|requests/g;
/** Where responses put what they say of a request as a whole. */
const WRAPPERS =
	/^(data|results?|response|headers?|body|payload|summary|counts?|stats|totals?|meta(data)?|status|outcome|batch|conversations?)$/i;
const NOTHING = /^(|no|none|null|false|ok|0|success|undefined)$/i;
const PLACES = /\d|^(index|row|position|rowindex|rownumber)$/i;

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A name without what may stand around it. */
const coreOf = (name: string): string => plain(name).replace(AROUND, '');

/** A response with the objects in its wrappers. */
export const partsOf = (value: unknown): readonly unknown[] =>
	isRecord(value)
		? [
				value,
				...Object.entries(value).flatMap(([name, inner]) =>
					WRAPPERS.test(name) && isRecord(inner) ? partsOf(inner) : [],
				),
			]
		: [value];

/** What a response says against so many values; undefined where it says nothing against them. */
export function refusalIn(value: unknown, count: number): NotTaken | undefined {
	const refusals = partsOf(value).flatMap((part) => refusalOf(part, count) ?? []);
	return refusals.find(({ kind }) => kind === 'unknown') ?? refusals[0];
}

/** What the name of a list says of its items. */
export function namedAs(list: string): 'taken' | 'failed' | 'skipped' {
	const word = coreOf(list);
	if (UNCLEAR.test(word) || UNDONE.test(word)) return 'skipped';
	return NO.test(word) || ERRORS.test(word) ? 'failed' : 'taken';
}

/** What a member says; `none` of a count and mere `talk` count only as far as nothing else is plainer. */
type Said = 'no' | 'unclear' | 'yes' | 'none' | 'talk' | undefined;

function refusalOf(part: unknown, count: number): NotTaken | undefined {
	const members = Object.entries(isRecord(part) ? part : { status: part });
	const said = members.map(([name, value]) => saidBy(name, value, count));
	const isYes = said.includes('yes');
	const isNo = said.includes('no');
	const isOpen = said.includes('none') || (said.includes('talk') && !isYes);
	const text = members.map(([name, value]) => textIn(name, value)).find((each) => each);
	if (said.includes('unclear') || (isNo ? isYes : isOpen))
		return {
			kind: 'unknown',
			message: `The service did not say clearly whether it took this${text === undefined ? '' : `: ${text}`}`,
		};
	return isNo
		? { kind: 'rejected', message: text ?? 'The service says that it did not take this' }
		: undefined;
}

/** What one member of a response says of so many values. */
function saidBy(name: string, value: unknown, count: number): Said {
	const word = coreOf(name);
	if (FLAGS.test(word) && typeof value === 'string' && !isNumeric(value) && value !== 'true')
		return isNothing(value) ? undefined : 'unclear';
	if (ERRORS.test(word)) return saidByError(value, count);
	if (UNDONE.test(word)) return isNothing(value) ? undefined : 'unclear';
	if (SWITCHES.test(word) || DONE.test(word)) return saidBySwitch(word, value, count);
	// Of anything that is counted there is none.
	if (word === '' && isNumeric(value)) return Number(value) === 0 ? 'none' : undefined;
	if (STATUSES.test(plain(name))) return saidByStatus(value);
	if (IDS.test(plain(name))) return isNothing(value) ? undefined : 'yes';
	if (!TALK.test(plain(name)) || (typeof value !== 'string' && isNothing(value))) return undefined;
	return saidByStatus(value) === 'yes' ? 'yes' : 'talk';
}

/** A number of failures says no where all failed. */
function saidByError(value: unknown, count: number): Said {
	if (isNothing(value)) return undefined;
	if (isNumeric(value)) return Number(value) === count ? 'no' : 'unclear';
	// A list of some, or what names a place, is not about all.
	const isOfSome = (Array.isArray(value) && value.length !== count) || namesPlace(value);
	return count > 1 && isOfSome ? 'unclear' : 'no';
}

function saidBySwitch(word: string, value: unknown, count: number): Said {
	if (isNumeric(value) && Number(value) === 0) return 'none';
	if (isNumeric(value)) return Number(value) < count ? 'unclear' : undefined;
	if (isOff(value)) return SWITCHES.test(word) ? 'no' : 'unclear';
	return SWITCHES.test(word) && saidByStatus(value) === 'yes' ? 'yes' : undefined;
}

const SHORT = 4;

/** What a status says, as a word, a number, or in a sentence: that is too long to be sure of a no. */
function saidByStatus(value: unknown): Said {
	if (isNumeric(value) && Number(value) === 0) return 'unclear';
	if (isOff(value)) return 'no';
	if (value === true) return 'yes';
	if (typeof value === 'number') return isFailedNumber(value) ? 'no' : undefined;
	if (typeof value !== 'string') return undefined;
	const word = plain(value);
	if (UNCLEAR.test(word) || /^\s*</.test(value)) return 'unclear';
	const isLong = value.trim().split(/\s+/).length > SHORT;
	if (NO.test(word) || isFailedNumber(Number(/^\D*(\d{3})\b/.exec(value)?.[1])))
		return isLong ? 'unclear' : 'no';
	return YES.test(word) ? 'yes' : undefined;
}

const isFailedNumber = (number: number): boolean => number < 0 || (number >= 400 && number < 600);

const isOff = (value: unknown): boolean =>
	value === false || (typeof value === 'string' && /^\s*(false|no)\s*$/i.test(value));

const isNumeric = (value: unknown): boolean =>
	typeof value === 'number' ||
	(typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)));

/** Whether a value says that there is nothing, e.g. no error. */
export const isNothing = (value: unknown): boolean =>
	typeof value === 'object'
		? isEmpty(value)
		: !value || (typeof value === 'string' && NOTHING.test(value.trim()));

/** Whether an error tells in its keys which of several it is about. */
const namesPlace = (error: unknown): boolean =>
	typeof error === 'object' &&
	error !== null &&
	Object.entries(error).some(
		([name, member]) => (!Array.isArray(error) && PLACES.test(name)) || namesPlace(member),
	);

/** What a member says in words, where it is an error or talks. */
function textIn(name: string, value: unknown): string | undefined {
	if (!ERRORS.test(coreOf(name)) && !TALK.test(plain(name))) return undefined;
	const [first]: unknown[] = castArray(value);
	const text: unknown = isRecord(first) ? first['message'] : first;
	return typeof text === 'string' && !isNothing(text) ? shorten(text) : undefined;
}
