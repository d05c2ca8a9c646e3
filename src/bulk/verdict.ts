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
	/(?<!^not?)(fail(?!edover|(over|back)[a-z])|error|reject)|invalid|denied|declined|refused|blocked|forbidden|unauthori[sz]ed|badrequest|not(found|created|accepted|sent|allowed|valid)|unprocessable|exception|unsuccess|insufficient|exceeded|^err|notok|unable|cannot|couldnot|^(nok|ko|bad)$/;
const OPEN =
	/declin|refus|problem|unreach|partial|with(out)?errors?|some|cancel|skip|ignor|unavailable|timed?out|maintenance|simulat|dryrun|mock|preview|sandbox|noop|abort|dropped|discard|suppress|duplicat|exclu/;
const UNCLEAR = new RegExp(
	`${OPEN.source}|${/(?<!de)fault|violation|expired|suspend|unsupported|disabled|throttl|(rate|over)limit|limitreached|nocredit|unpaid|donotcall|^dnc$|opt(ed)?out|unsubscribed|barred|not(called|queued|processed)/.source}`,
);
const YES =
	/^(ok|okay|success|successful|succeeded|accepted|created|queued|started|scheduled|initiated|done|completed?|pending|inprogress|true)$/;

/** Names of members: what went wrong, what was done, and what was not done after all. */
const ERRORS =
	/(^(err|errored|fail|reject|declined?|refus(ed|al)|denied|blocked|invalid)|(?<!^on|^not?|^without|^ignore|de)(error|exception|fault|problem|violation|failure|failed|rejection|rejected))(s?(no|msg|messages?|codes?|descriptions?|details?|reasons?|types?|texts?|names?|info))?s?$/;
/** Those that say yes or no, or count: a text there may say anything. */
const FLAGS = /^(errored|failed|rejected|declined|refused|denied|blocked|invalid)$/;
const SWITCHES = /^(success(ful)?|succeeded|ok|accepted|created|started|queued|valid)$/;
const PLAINEST = /^(success(ful)?|succeeded|ok)$/;
const DONE =
	/^(enqueued|processed|inserted|sent|submitted|dispatched|placed|dialed|initiated|scheduled|allowed|authori[sz]ed|authenticated|called|done|delivered|acknowledged|received|completed)$/;
const UNDONE =
	/^(dnc|donotcall|(rate)?limited|throttled|skipped|ignored|dropped|discarded|excluded|suppressed|dryrun|simulat(ed|ion)|testmode|mock(ed)?|preview|un(processed|successful)|not(called|created|accepted|processed|queued|sent|started))$/;
const STATUSES =
	/^(code|type|kind|response|data)$|(status(code|text)?|state|result|outcome|(result|return|response|exit|http)code)$/;
const TALK = /^(message|msg|detail|details|title|description|issues|reason)$/;
const IDS = /^(id|conversationid|jobid)$/;

/** What may stand around these names: totalCreated, callsStarted, is_valid. */
const AROUND =
	/^(is|has|was)|num(berof)?|total|count|conversations?|(?<!not)calls?(?!ed|tarted)|customers?|items|rows|records|requests/g;
/** Where responses put what they say of a request as a whole. */
const WRAPPERS =
	/^(data|results?|response|headers?|body|payload|summary|counts?|stats|totals?|meta(data)?|status|outcome|batch|conversations?)$/i;
const NOTHING =
	/^(|no|none|null|nil|false|ok|0|success(ful(ly)?)?|undefined|n\/?a|-+|\[\s*\]|\{\s*\}|(no|0|zero)[ _-]?(errors?|failures?|problems?))$/i;
/** What stands beside a no and says nothing; what tells where it is; and whom it is about, which is no matter where that is one. */
const ASIDE =
	/^(timestamp|time|date|datetime|method|docs?(umentation)?(url)?|help|hint|link|moreinfo|(api)?version|stack|(request|trace|correlation|span|log|error)id|retryable|retryafter(seconds)?|agent(id|slug)?|workspaceid|conversationtype)$/;
const WHERE =
	/^(path|instance|url|uri|param|parameter|field|property|loc|location|pointer|domain)$/;
const WHOM =
	/^(to|from|(to|from)?(phone)?number|phone|index|row|position|rowindex|rownumber|identifier|externalid|personid|name|email|request|input|customer|contact|recipient|(dynamic)?variables|metadata)$/;
/** What may be a text of its own beside a no. */
const CODES = /^(type|kind|(\w*)code|statustext|severity|category)$/;
/** Words in a text by which something has begun, or may have; and those that say that it has not. */
const DONE_WORDS =
	'success\\w*|created|accepted|queued|started|sent|placed|initiated|submitted|dispatched|dialed|called|processed';
const NOT_BEGUN = new RegExp(`\\b(not|never|nothing)( \\w+)? (${DONE_WORDS})\\b`, 'g');
const BEGUN = new RegExp(
	`\\b(${DONE_WORDS}|begun|began|dialing|calling|ringing|connect\\w*|in progress|processing|pending|already|answer\\w*|hang ?up|hung up|voicemail|(user|customer|callee|recipient|person) (rejected|busy|did|ended|disconnected|hung)|(rejected|ended) (the|this|by)|network|upstream|gateway|socket|econn\\w*|reset|interrupted|lost|closed|while|during|after|but|except|may|might|maybe|possibly|unknown error)\\b`,
);
const OF_SOME = /\b(one|two|three|first|last|only|rest|others?|several|few|remaining|all but)\b/;
const SAYS_YES = /\b(ok|success\w*)\b/i;
const ANY_UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i;
const PLACES = /\d|^(index|row|position|rowindex|rownumber)$/i;

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A name without what may stand around it; its words are told apart first, so that callStarted is no "calls". */
const coreOf = (name: string): string =>
	plain(
		name
			.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
			.replace(
				/(?<![a-z]|not[ _-]?)(conversation|call|customer|row|record|request)s?(?![a-z])/gi,
				'',
			),
	).replace(AROUND, '');

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
	const [refusal] = refusals;
	return (
		refusals.find(({ kind }) => kind === 'unknown') ??
		(refusal && !isWholeNo(value, count) ? openly(refusal.message) : refusal)
	);
}

const openly = (text: string | undefined): NotTaken => ({
	kind: 'unknown',
	message: `The service did not say clearly whether it took this${text === undefined || text === SAYS_NO ? '' : `: ${text}`}`,
});

const SAYS_NO = 'The service says that it did not take this';

/** Whether nothing stands beside a no that shows a begun call, or that it is about some of several only. */
export const isWholeNo = (value: unknown, count: number): boolean =>
	isRecord(value)
		? Object.entries(value).every(([name, inner]) => isOfNo(name, inner, count))
		: isOfNo('status', value, count);

/** Whether a member belongs to a no: what is not known to, may be a sign of a call. */
function isOfNo(name: string, value: unknown, count: number): boolean {
	const [word, bare] = [coreOf(name), plain(name)];
	if ((isNothing(value) && !SAYS_YES.test(String(JSON.stringify(value)))) || ASIDE.test(bare))
		return true;
	if (WHERE.test(bare)) return !hasUuid(value) && (count === 1 || !hasDigits(value));
	if (WHOM.test(bare)) return count === 1 && (bare !== 'metadata' || !hasUuid(value));
	const isReason = ERRORS.test(word) || TALK.test(bare);
	if (Array.isArray(value))
		return (
			isReason &&
			[1, value.length].includes(count) &&
			value.every((each) => (isRecord(each) ? isWholeNo(each, count) : isOfNo(name, each, count)))
		);
	if (isRecord(value))
		return (isReason || WRAPPERS.test(name) || STATUSES.test(bare)) && isWholeNo(value, count);
	if (isNumeric(value)) return isNumberOfNo(name, Number(value), count);
	if (value === true) return ERRORS.test(word) || /^(success(ful)?|ok|valid)$/.test(word);
	if (isOff(value)) return true;
	if (typeof value !== 'string') return false;
	if (isReason || CODES.test(bare)) return isTextOfNo(value, count);
	return STATUSES.test(bare) && saidByStatus(value, bare) === 'no' && isTextOfNo(value, count);
}

function isNumberOfNo(name: string, number: number, count: number): boolean {
	if (ERRORS.test(coreOf(name)) || isFailedNumber(number)) return true;
	// A list of failures may hold bare numbers of persons.
	if (TALK.test(plain(name))) return count === 1;
	if (CODES.test(plain(name))) return number >= 600;
	return /^(total|requested)/.test(plain(name)) && number === count;
}

function isTextOfNo(text: string, count: number): boolean {
	const words = text
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, ' ')
		.replace(NOT_BEGUN, ' ');
	if (OPEN.test(plain(text)) || BEGUN.test(words) || hasUuid(text)) return false;
	return count === 1 || !(OF_SOME.test(words) || /\d/.test(words.replace(/\b[45]\d\d\b/g, '')));
}

const hasUuid = (value: unknown): boolean => ANY_UUID.test(String(JSON.stringify(value)));
const hasDigits = (value: unknown): boolean => /(?<![a-z])\d/i.test(String(JSON.stringify(value)));

/** What the name of a list says of its items. */
export function namedAs(list: string): 'taken' | 'failed' | 'skipped' {
	const word = coreOf(list);
	if (UNCLEAR.test(word) || UNDONE.test(word)) return 'skipped';
	return NO.test(word) || ERRORS.test(word) ? 'failed' : 'taken';
}

/** What a member says; `none` of a count and mere `talk` count only as far as nothing else is plainer. */
type Said = 'no' | 'unclear' | 'yes' | 'none' | 'talk' | undefined;

const membersOf = (part: unknown) => Object.entries(isRecord(part) ? part : { status: part });

/** What was sent, and comes back. */
const SENT =
	/^((dynamic)?variables|metadata|tags|labels|notes|customer|person|contact|recipient|request|input|agent|settings|config|transcript)$/;

/** Whether anything speaks against a value in its objects and lists, whatever their names are. */
export const hidesNo = (value: unknown): boolean =>
	isRecord(value) &&
	Object.entries(value).some(
		([name, inner]) =>
			!SENT.test(plain(name)) &&
			!(ERRORS.test(coreOf(name)) && isNothing(inner)) &&
			(isRecord(inner) || Array.isArray(inner)) &&
			castArray<unknown>(inner).some(speaksAgainst),
	);

const speaksAgainst = (value: unknown): boolean =>
	Array.isArray(value)
		? value.some(speaksAgainst)
		: hidesNo(value) ||
			membersOf(value).some(([name, member]) =>
				['no', 'unclear'].includes(String(saidBy(name, member, 1))),
			);

function refusalOf(part: unknown, count: number): NotTaken | undefined {
	const members = membersOf(part);
	const said = members.map(([name, value]) => saidBy(name, value, count));
	const isYes = said.includes('yes');
	const isNo = said.includes('no');
	const isOpen = said.includes('none') || (said.includes('talk') && !isYes);
	const text = members.map(([name, value]) => textIn(name, value)).find((each) => each);
	if (said.includes('unclear') || (isNo ? isYes : isOpen)) return openly(text);
	return isNo ? { kind: 'rejected', message: text ?? SAYS_NO } : undefined;
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
	if (STATUSES.test(plain(name))) return saidByStatus(value, plain(name));
	if (IDS.test(plain(name))) return isNothing(value) ? undefined : 'yes';
	if (!TALK.test(plain(name)) || (typeof value !== 'string' && isNothing(value))) return undefined;
	return saidByStatus(value) === 'yes' ? 'yes' : 'talk';
}

/** A number of failures says no where all failed. */
function saidByError(value: unknown, count: number): Said {
	if (isNothing(value)) return undefined;
	// There is an error, but nothing in it.
	if (isRecord(value) && Object.values(value).every(isNothing)) return 'unclear';
	if (isNumeric(value)) return Number(value) === count ? 'no' : 'unclear';
	// A list of some, or what names a place, is not about all.
	const isOfSome = (Array.isArray(value) && value.length !== count) || namesPlace(value);
	return count > 1 && isOfSome ? 'unclear' : 'no';
}

function saidBySwitch(word: string, value: unknown, count: number): Said {
	if (isNumeric(value) && Number(value) === 0) return 'none';
	if (isNumeric(value)) return Number(value) < count ? 'unclear' : undefined;
	if (value === null && PLAINEST.test(word)) return 'unclear';
	if (isOff(value)) return SWITCHES.test(word) ? 'no' : 'unclear';
	return SWITCHES.test(word) && saidByStatus(value) === 'yes' ? 'yes' : undefined;
}

const SHORT = 4;

/** What a status of that name says, as a word, a number, or in a sentence: that may say more than a no. */
function saidByStatus(value: unknown, name = 'status'): Said {
	if (isNumeric(value) && Number(value) === 0) return 'unclear';
	if (isOff(value)) return 'no';
	if (value === true) return 'yes';
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value);
	const number = /^\D*(\d{3})\b/.exec(text)?.[1] ?? text;
	if (isFailedNumber(Number(number)))
		return WHOLE_NUMBER.test(text) && NUMBERED.test(name) ? 'no' : 'unclear';
	const word = plain(text);
	if (UNCLEAR.test(word) || /^\s*</.test(text)) return 'unclear';
	if (NO.test(word))
		return text.trim().split(/\s+/).length > SHORT || HEDGED.test(text) ? 'unclear' : 'no';
	return YES.test(word) ? 'yes' : undefined;
}

/** A number that is the whole of a status or code; in another text or member, it may count or name anything. */
const WHOLE_NUMBER = /^\s*(-\d+|((http|error|status|code)\W*)*[45]\d\d)\s*$/i;
const NUMBERED = /(status(code|text)?|code)$/;
/** What turns the words of a no, or counts them. */
const HEDGED = /\d|\b(no|none|without|zero|never)\b/i;

const isFailedNumber = (number: number): boolean => number < 0 || (number >= 400 && number < 600);

const isOff = (value: unknown): boolean =>
	value === false || (typeof value === 'string' && /^\s*(false|no)\s*$/i.test(value));

const isNumeric = (value: unknown): boolean =>
	typeof value === 'number' ||
	(typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)));

/** Whether a value says that there is nothing, e.g. no error; a false within an object may say something. */
export const isNothing = (value: unknown): boolean =>
	isRecord(value)
		? Object.values(value).every((member) => isNothing(member) && !isOff(member))
		: typeof value === 'object'
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
