import isEmpty from 'lodash/isEmpty';
import mapValues from 'lodash/mapValues';
import { isRecord } from './json';
import { isBlank, MAX_NAME, readBody, shorten } from './text';

/** What a 2xx response says of one value; the interface shows neither a response to conversations nor one that says no. */
export type Verdict =
	{ readonly kind: 'accepted'; readonly reply: unknown; readonly paired: boolean } | NotTaken;

/** What speaks against a value: a plain no, or something that leaves it open. */
export interface NotTaken {
	readonly kind: 'rejected' | 'unknown';
	readonly message: string;
}

/**
 * What a member of a response says: `no` speaks for a rejection, and `yes` for an acceptance. `talk`, words about what stands
 * beside them, needs a yes as well; `none`, something that was not done, forbids an acceptance; `other`, which may be a sign that
 * something began, forbids a rejection; `open` forbids both.
 */
interface Said {
	readonly says: 'no' | 'yes' | 'none' | 'talk' | 'open' | 'other';
	readonly text?: string;
}

/** Words that say no, in names as in texts. */
const NO =
	/^(err|fail(?!over)|reject|invalid|den(ied|ial)|declin|refus|block|forbid|unauth|unprocess|fault|problem|violat|insufficient|exceed|unsuccess|cannot|couldnot|unable|[nk]o$|nok$|[45]\d\d$|(bad|not)(request|found|created|accepted|sent|allowed|valid|ok)?$)|(error|failure|exception)s?$/;
/** Those that say that something began. */
const YES =
	/^(ok|okay|suc+es\w*|erfolg(reich)?|exito|succeeded|new|accept(ed)?|created?|(en)?queued|start(ed|ing)?|begun|began|scheduled|initiated|placed|sent|submitted|dispatched|inserted|dial\w*|call(ed|ing)|ring\w*|answer\w*|busy|connect\w*|pending|(in)?progress|process(ed|ing)|delivered|received|acknowledged|completed?|done|valid|allowed|authori[sz]ed|authenticated|true)$/;
/** Those that leave open what was done. */
const DOUBT =
	/\b(partial|some|skip|ignor|cancel|abort|dropped|discard|suppress|duplicat|exclu|simulat|dry ?run|mock|test ?mode|preview|sandbox|noop|timed ?out|unavailable|unreach|mainten|expired|suspended|unsupported|disabled|throttl|(rate |over)?limited|limit ?reached|do ?not ?call|dnc|opt(ed)? ?out|unsubscribed|barred|not ?(called|queued|processed|failed)|un(placed|processed|sent|called))\w*/;
const ALL_DOUBT = new RegExp(`^(${DOUBT.source}|not started|with(out)? err\\w*)$`);
/** A no before one of the words that say yes. */
const NEGATED =
	/\b(not|never|nothing)( be| been| was)? (ok|success\w*|accept(ed)?|created?|placed|sent|valid|allowed|authori[sz]ed|found)\b/g;
/** In the reason of a no: what may tell of a call that began; and of several, that it is about some only. */
const BEGAN =
	/\b(already|hung|hang|voicemail|(reject|declin)\w* (the|this|by)|but|except|may|might|maybe|possibly|will|timeout|econn\w*|while|during|after|lost|reset|interrupted|closed|ended|network|upstream|gateway|socket|unknown)\b/;
const OF_SOME =
	/^((?![45]\d\d$)\d+|one|two|three|first|second|third|last|only|rest|others?|several|few|remaining)$/;

/** Words of a name that only count, and those of texts about an end. */
const COUNTED =
	/^(is|has|was|num|numbers?|phones?|emails?|identifiers?|of|total|counts?|conversations?|calls?|customers?|items|rows|records|requests?)$/;
const TALK =
	/^(messages?|msg|codes?|reasons?|texts?|types?|kind|details?|desc(riptions?)?|info|title|issues?|warnings?|no)$/;
const STATUS = /^(stat(us|e|ut)|estado|results?|outcome|response|data)$/;
/** Switches that say no when they are off; others may be off because it has only just begun. */
const SWITCHES = /^(success(ful)?|succeeded|ok|accepted|created|valid)$/;
const ID =
	/^(\w*(call(?!er)|conversation|job|batch|task|session|message|contact|execution|operation|run|campaign|request)\w*)?(id|sid|uuid|arn)$|^(job|batch|task)$/;
/** What was sent, and comes back. */
const SENT =
	/^((dynamic)?variables|metadata|tags|labels|notes|customer|person|contact|recipient|request|input|agent|settings|config|source|priority|isdonotdisturbenabled)$/;
/** What says nothing beside a no; and whom it is about, which is no matter where that is one. */
const ASIDE =
	/^(timestamp|time|date|datetime|method|docs?(umentation)?(url)?|help|hint|links?|actions|moreinfo|(api)?version|stack|(request|trace|correlation|span|log|error)id|retryable|retryafter(seconds)?|agent(id|slug)?|workspaceid|conversationtype|severity|category|recordingstatus)$/;
const ABOUT =
	/^(path|instance|url|uri|param|parameter|field|property|loc|location|pointer|domain|to|from|(to|from)?(phone)?number|phone|index|row|position|rowindex|rownumber|identifier|externalid|personid|name|email)$/;
const NOTHING =
	/^(|no|none|null|nil|false|ok|0|success(ful(ly)?)?|undefined|n\/?a|-+|\[\s*\]|\{\s*\}|(no|0|zero)[ _-]?(errors?|failures?|problems?))$/i;
/** A switch that is on where there is none: "no_error", "hasNoErrors". */
const NO_ERROR = /^(is|has|with)?(no|without)(err|fail|problem)/;
const PLACE = /^\d+$/;
const URL = /^(https?|wss?):/i;
/** Letters of a text that is not in English. */
const FOREIGN = /[^\P{L}a-z]/iu;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i;

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

const wordsOf = (text: string): string[] =>
	text
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.match(/[a-z]+|\d+/g) ?? [];

type Kind =
	'no' | 'yes' | 'doubt' | 'status' | 'talk' | 'count' | 'id' | 'about' | 'aside' | 'other';

/** What kind of member has such a name; one that is a number stands for a place. */
function kindOf(whole: string): Kind {
	const name = whole.slice(0, MAX_NAME);
	const bare = plain(name);
	if (SENT.test(bare) || ASIDE.test(bare)) return 'aside';
	if (ID.test(bare)) return 'id';
	if (PLACE.test(bare)) return 'status';
	if (ABOUT.test(bare)) return 'about';
	const words = wordsOf(name).filter((word) => !COUNTED.test(word));
	const core = wordsOf(
		words
			.filter((word) => !TALK.test(word))
			.join(' ')
			.replace(NEGATED, 'failed'),
	);
	const [first, last] = [core[0] ?? '', core.at(-1) ?? ''];
	if (core.length === 0) return words.length > 0 ? 'talk' : 'count';
	if (ALL_DOUBT.test(core.join(' '))) return 'doubt';
	if (NO.test(last) && !/^(on|not?|without|ignore)$/.test(first)) return 'no';
	if (core.every((word) => YES.test(word))) return 'yes';
	return STATUS.test(last) ? 'status' : 'other';
}

/** What the name of a list says of its items. */
export function namedAs(list: string): 'taken' | 'failed' | 'skipped' {
	const kind = kindOf(list);
	return kind === 'doubt' ? 'skipped' : kind === 'no' ? 'failed' : 'taken';
}

/** Whether a refusal shows that something was begun all the same: a count of it, the ID of a call, or a list of what has an ID or a yes. */
export function showsBegun(text: string): boolean {
	const body = readBody(text);
	return body.kind === 'json' && hasBegun(body.value, '');
}

function hasBegun(value: unknown, name: string): boolean {
	if (LIMIT.test(name) || SENT.test(plain(name))) return false;
	if (Array.isArray(value))
		return (
			['count', 'status', 'yes', 'id'].includes(kindOf(name.replace(/s$/i, ''))) &&
			value.some(isBegun)
		);
	if (isRecord(value)) return Object.entries(value).some(([key, each]) => hasBegun(each, key));
	// More would be a time.
	if (kindOf(name) === 'yes') return Number(value) > 0 && Number(value) < 1e6;
	return OF_CALL.test(name) ? !isNothing(value) : BEGUN_TEXT.test(String(value));
}

function isBegun(item: unknown): boolean {
	if (!isRecord(item)) return UUID.test(String(item));
	const says = new Set(Array.from(saidWithin(item, 1), (one) => one.says));
	const hasId = Object.entries(item).some(([key, id]) => kindOf(key) === 'id' && !isNothing(id));
	return hasId || (says.has('yes') && !says.has('no'));
}

/** Members that say how many there may be. */
const LIMIT = /limit|concurren|quota|allow/i;
const OF_CALL = /(conversation|call|job)_?id$/i;
const BEGUN_TEXT =
	/\b(created|started|queued|placed|called|accepted|initiated) [1-9]\d* (of|out of)\b/i;

/** A response without those of its lists that are read item by item. */
export const withoutLists = (
	reply: unknown,
	isRead: (list: readonly unknown[]) => boolean,
): unknown =>
	isRecord(reply)
		? mapValues(reply, (each) => withoutLists(each, isRead))
		: Array.isArray(reply) && isRead(reply)
			? undefined
			: reply;

/** The name of what has none. */
const TEXT = 'statusText';
const SAYS_NO = 'The service says that it did not take this';

/**
 * What a response says against so many values; undefined where it says nothing against them. It rejects them where all of it
 * is a no, with its reasons; where it says anything else as well, they are unknown.
 */
export function refusalIn(value: unknown, count: number): NotTaken | undefined {
	const all = [...(isRecord(value) ? saidWithin(value, count) : saidBy(TEXT, value, count))];
	const says = new Set(all.map((one) => one.says));
	const message = all.map(({ text }) => text).find((text) => text);
	const isNo = says.has('no');
	const isOpen = says.has('open') || says.has('none') || (says.has('talk') && !says.has('yes'));
	if (isNo && !['open', 'yes', 'other'].some((one) => says.has(one as Said['says'])))
		return { kind: 'rejected', message: message ?? SAYS_NO };
	if (!isNo && !isOpen) return undefined;
	const said = message === undefined ? '' : `: ${message}`;
	return {
		kind: 'unknown',
		message: `The service did not say clearly whether it took this${said}`,
	};
}

/** What is said in a member of a response to so many values, and in all that it holds. */
function* saidBy(named: string, value: unknown, count: number): Generator<Said, void, undefined> {
	const name = typeof value === 'boolean' && NO_ERROR.test(plain(named)) ? 'success' : named;
	const kind = kindOf(name);
	if (kind === 'aside' || value === undefined) return;
	if ((kind === 'no' || kind === 'doubt') && isNothing(value)) return;
	if (kind === 'doubt') yield { says: 'open' };
	else if (kind === 'about') {
		const text = `${name} ${String(JSON.stringify(value))}`;
		if (UUID.test(text) || (count > 1 && /(?<![a-z])\d/i.test(text))) yield { says: 'other' };
		if (Array.isArray(value)) yield { says: 'talk' };
	} else if (typeof value !== 'object' || value === null)
		yield* saidByLeaf(kind, { name, value, count });
	else {
		if (kind === 'no') yield { says: isAboutAll(value, count) ? 'no' : 'open' };
		if (isEmpty(value) ? kind === 'yes' : kind === 'talk') yield { says: 'talk' };
		yield* saidWithin(value, count, kind);
	}
}

/** What all members say; what one of several, or an item, is refused is not known to be about all values. */
function* saidWithin(value: object, count: number, kind?: Kind): Generator<Said, void, undefined> {
	const isList = Array.isArray(value);
	if (isList && count > 1 && value.some(isNothing)) yield { says: 'open' };
	for (const [key, member] of Object.entries(value)) {
		const ofItem =
			typeof member === 'object' ? 'item' : kind === 'no' || kind === 'talk' ? 'message' : TEXT;
		const isOfSome = count > 1 && (isList ? kind !== 'no' : PLACE.test(plain(key)));
		for (const said of saidBy(isList ? ofItem : key, member, count))
			yield isOfSome && said.says === 'no' ? { ...said, says: 'open' } : said;
	}
}

/** The name of a member that holds no others, and how many values the response is about. */
interface Leaf {
	readonly name: string;
	readonly count: number;
}

/** Whether an error with members, or a list of errors, is about all values, and has anything in it. */
const isAboutAll = (error: object, count: number): boolean =>
	Array.isArray(error)
		? count === 1 || error.length === count
		: !Object.values(error).every((member) => isNothing(member) || isOff(member));

function* saidByLeaf(
	kind: Kind,
	{ name, value, count }: Leaf & { readonly value: unknown },
): Generator<Said, void, undefined> {
	const isText = typeof value === 'string' && value.trim() !== '';
	const isNumber = typeof value === 'number' || (isText && Number.isFinite(Number(value)));
	const number = isNumber ? Number(value) : undefined;
	const isSwitch = SWITCHES.test(plain(name).replace(/^is/, ''));
	if (kind === 'id') yield* isNothing(value) ? [] : [{ says: 'yes' } as const];
	else if (URL.test(String(value))) yield { says: 'other' };
	else if (kind === 'no') {
		yield { says: number === undefined || number === count ? 'no' : 'open' };
		if (number === undefined && value !== true)
			yield* saidByText(String(value), kind, { name, count });
	} else if (isOff(value)) {
		if (isSwitch || kind === 'status') yield { says: 'no' };
		else if (kind === 'yes' || kind === 'other') yield { says: 'talk' };
		// It may have been tried in vain, as in "answered".
		if (kind === 'yes' && !isSwitch) yield { says: 'other' };
	} else if (number === 0) {
		if (isSwitch) yield { says: 'none' };
		else if (['yes', 'count', 'status'].includes(kind)) yield { says: 'talk' };
	} else if (isBlank(value)) {
		if (isSwitch && value === null) yield { says: 'talk' };
	} else if (kind === 'other') {
		yield { says: 'other' };
		// A switch that no one knows says no more than a word.
		if (value === true) yield { says: 'talk' };
	} else if (kind === 'yes' && number !== undefined)
		yield { says: number >= count ? 'yes' : 'open' };
	else if (kind === 'count') yield* number === count ? [] : [{ says: 'other' } as const];
	else if (number !== undefined) yield* saidByNumber(number, name, kind);
	else if (value === true) yield { says: 'yes' };
	else yield* saidByText(String(value), kind, { name, count });
}

/** What a number says that is the whole of a status or code; of anything else it may count or name something. */
function* saidByNumber(number: number, name: string, kind: Kind): Generator<Said, void, undefined> {
	const isCode = CODE.test(name);
	const isFailed = number < 0 || (number >= 400 && number < 600);
	if (isFailed) yield { says: isCode || /status(text)?$/i.test(name) ? 'no' : 'open' };
	else if (number >= 200 && number < 400) yield { says: 'yes' };
	else if (!isCode || number < 600) yield { says: kind === 'talk' && !isCode ? 'talk' : 'other' };
}

/** What a text says: a status in a word or two, or the words of a reason, which may tell of more than that. */
function* saidByText(
	value: string,
	kind: Kind,
	{ name, count }: Leaf,
): Generator<Said, void, undefined> {
	const text = wordsOf(value)
		.join(' ')
		.replace(NEGATED, 'failed')
		.replace(/\bno answer\b/g, 'answer')
		.replace(/\bnot( yet)? (started|begun)\b/g, 'later');
	const words = text.split(' ');
	const [isNo, isYes] = [NO, YES].map((each) => words.some((word) => each.test(word)));
	const isDoubt = DOUBT.test(text) || /^\s*</.test(value);
	const isShort = words.every((word) => [NO, COUNTED, STATUS_WORD].some((each) => each.test(word)));
	const isReason = kind === 'talk' || kind === 'no';
	const own = isReason && !CODE.test(name) ? { text: shorten(value) } : {};
	const isOfSome = count > 1 && words.some((word) => word !== String(count) && OF_SOME.test(word));
	// As in "2 of 3".
	const isPart = words.includes(String(count)) && words.some((word) => Number(word) < count);
	if (isReason && isNothing(value)) return;
	if (isYes && !isNo && !isDoubt && !isOfSome && kind !== 'no') yield { says: 'yes' };
	else if (isNo && isShort && !isYes && !isDoubt) yield { says: 'no', ...own };
	else if (!isReason && (isNo || isDoubt)) yield { says: 'open' };
	else if (!isReason) {
		yield { says: 'other' };
		// What a status says has to be known, where nothing else says yes.
		if (STATUS_NAME.test(name)) yield { says: 'talk' };
	} else {
		if (isNo || isDoubt || isPart) yield { says: 'none', ...own };
		else if (!CODE.test(name)) yield { says: 'talk', ...own };
		if (isDoubt || isYes || isOfSome || BEGAN.test(text) || UUID.test(value) || FOREIGN.test(value))
			yield { says: 'other' };
	}
}

/** Names of what is a word or a number of its own, and tells nothing without a no. */
const CODE = /(code|type|kind|info|no)$/i;
const STATUS_NAME = /(status|state|statut|estado)$/i;
const STATUS_WORD = /^(http|status|code)$/;

const isOff = (value: unknown): boolean =>
	value === false || (typeof value === 'string' && /^\s*(false|no)\s*$/i.test(value));

/** Whether a value says that there is nothing, e.g. no error; a false within an object may say something. */
export const isNothing = (value: unknown): boolean =>
	isRecord(value)
		? Object.values(value).every((member) => isNothing(member) && !isOff(member))
		: typeof value === 'object'
			? isEmpty(value)
			: !value || (typeof value === 'string' && NOTHING.test(value.trim()));
