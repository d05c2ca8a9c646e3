import { isRecord } from '../core/json';
import { shorten } from '../core/text';

/** What a 2xx response says of one value; the interface shows neither a response to conversations nor one that says no. */
export type Verdict =
	| { readonly kind: 'accepted'; readonly reply: unknown; readonly paired: boolean }
	| { readonly kind: 'rejected' | 'unknown'; readonly message: string };

type Members = Readonly<Record<string, unknown>>;

type NotTaken = Extract<Verdict, { readonly message: string }>;

const FAILED_WORD =
	/^(failed|failure|error|errored|rejected|invalid|denied|refused|blocked|forbidden|unauthorized|badrequest|notfound|internalservererror|unprocessableentity|exception)$/;
/** Words of a whole of which a part failed. */
const PARTLY = /partial|witherrors?|somefailed/;
const YES_WORD =
	/^(ok|okay|success|successful|succeeded|accepted|created|queued|started|scheduled|initiated|done|complete(d)?|pending|inprogress|true)$/;
const NO_ERROR = /^(|no|none|null|false|ok|0|success|undefined)$/i;
const NOT_TAKEN = /^(rejected|failed|failures|errors|invalid|refused|denied)(count)?$/;
const TAKEN =
	/^(accepted|created|started|queued|succeeded|successful|success|processed|inserted)(count)?$/;

/** Members that say yes or no, that tell of an error, that hold a status, and that only talk, by their plain names. */
const SWITCHES = /^(is|was)?(success(ful)?|succeeded|ok|accepted|created|started|queued|valid)$/;
const ERRORS = /^(errors?|errormessages?|errorcode|errordescription|exceptions?)$/;
const ERROR_FLAGS = /^((is|has)errors?|failed|isfailed|rejected)$/;
const STATUSES = /^(http|conversation)?(status|statuscode|code|state|result|outcome|type)$/;
const TALK = /^(message|detail|details|title|description|issues|reason)$/;
const IDS = /^(id|conversationid|jobid|ids|conversationids|conversations?|data|items|results?)$/;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The members of an object by their plain names: a service may write IsSuccess or status_code. */
const plainMembers = (value: Members): ReadonlyArray<readonly [string, unknown]> =>
	Object.entries(value).map(([name, member]) => [plain(name), member] as const);

/** What an object says against it: that it was not done, or nothing that is clear; undefined where it says nothing against it. */
export function refusalIn(value: unknown): NotTaken | undefined {
	if (!isRecord(value)) return saysNo(value) ? { kind: 'rejected', message: TAKEN_NOT } : undefined;
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
	if (some(STATUSES, isPartial)) return unclear(said);
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

/** Whether a bare value is a no: false, a status word or a status number. */
const saysNo = (value: unknown): boolean => value === false || value === 0 || isFailedStatus(value);

const isNo = (value: unknown): boolean => [false, 0, 'false', '0', 'no'].some((no) => no === value);
const isSaidYes = (value: unknown): boolean =>
	value === true || (typeof value === 'string' && YES_WORD.test(plain(value)));
const isPartial = (value: unknown): boolean =>
	typeof value === 'string' && PARTLY.test(plain(value));

function isFailedStatus(status: unknown): boolean {
	if (typeof status === 'string' && FAILED_WORD.test(plain(status))) return true;
	const number = typeof status === 'string' ? Number(status) : status;
	return typeof number === 'number' && number >= 400 && number < 600;
}

const isCount = (value: unknown): value is number => typeof value === 'number';

/** A number is a count, which is judged by itself, but for the code of an error. */
function isError(value: unknown): boolean {
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

/** What the numbers of a response say of so many values: all of them not taken, or some, which ones it does not say. */
export function countedVerdict(reply: unknown, count: number): Verdict | undefined {
	if (!isRecord(reply)) return undefined;
	const numbers = plainMembers(reply).flatMap(([name, value]) =>
		isCount(value) ? [{ name, value }] : [],
	);
	const keyed = Object.entries(reply).find(
		([name, value]) => ERRORS.test(plain(name)) && isRecord(value),
	);
	const keys = isRecord(keyed?.[1]) ? Object.keys(keyed[1]).length : 0;
	const areKeyed =
		isRecord(keyed?.[1]) && Object.keys(keyed[1]).every((key) => /^\+?\d+$/.test(key));
	if (areKeyed && keys < count) return unclear(undefined);
	const refused = Math.max(
		0,
		...numbers.flatMap(({ name, value }) => (NOT_TAKEN.test(name) ? [value] : [])),
	);
	const taken = Math.min(
		count,
		...numbers.flatMap(({ name, value }) => (TAKEN.test(name) ? [value] : [])),
	);
	if (refused === 0 && taken >= count) return undefined;
	if (refused >= count || (taken <= 0 && refused > 0))
		return { kind: 'rejected', message: 'The service says that it took none of its request' };
	const message = `The service says that it took ${Math.max(0, Math.min(taken, count - refused))} of ${count} in its request, and not which`;
	return { kind: 'unknown', message };
}

/** What a response says of all its values together; where it says nothing against it, they are accepted. */
export function wholeVerdict(reply: unknown, count: number): Verdict {
	return (
		countedVerdict(reply, count) ?? refusalIn(reply) ?? { kind: 'accepted', reply, paired: false }
	);
}
