import { castArray, get, inRange, isObject, omit, startCase, trimEnd, uniq } from 'lodash';
import { toPrintable, toText } from './plainText';
import { toSentence } from './problems';
import { isContentRejection } from './retry';
import { plural } from './words';
import { CHECK_ARRIVAL, describeNoResponse } from './describeNoResponse';
import type { ApiError, Description, Failure, Problem } from './failures';

/** Names a field by its path, with the labels of its form. */
export type Label = (path: Problem['path']) => string;

/** Names a field by the last name in its path: "To Phone Number" for `toPhoneNumber`; "Row" without one. */
export const nameField: Label = (path) => {
	const name = path.findLast((key) => typeof key === 'string') ?? 'row';
	return startCase(String(name)).replace(/\bId\b/, 'ID');
};

const MAX_PROBLEMS = 20;
const MAX_ISSUES = 5;

/** Puts a failure into words for people who never see the code. */
export function describeFailure(failure: Failure, label: Label): Description {
	const { message, advice } = describeByKind(failure, label);
	// A cell or a response may contain any character.
	return {
		message: toPrintable(message),
		...(advice !== undefined && { advice: toPrintable(advice) }),
	};
}

/** Describes a failure by its kind. The text may still contain control characters. */
function describeByKind(failure: Failure, label: Label): Description {
	switch (failure.kind) {
		case 'input':
			return { message: problemLines(failure.problems, label).join('. ') };
		case 'held':
		case 'leftOut':
		case 'notFound':
			// These failures have a message for users, and maybe advice.
			return omit(failure, 'kind');
		case 'api':
			return describeNamedFields(failure, label) ?? describeApiError(failure);
		case 'connection':
			return describeNoResponse(failure);
		case 'contract':
			return {
				message: `The service sent something unexpected: ${failure.message} (${failure.call}, status ${failure.status})`,
				advice: failure.advice ?? CHECK_BASE_URL,
			};
	}
}

/** Leaves out the values of problems, because rows with different values can have the same reason. */
export const omitValues = (failure: Failure): Failure =>
	failure.kind === 'input'
		? { ...failure, problems: failure.problems.map((problem) => omit(problem, 'value')) }
		: failure;

const CHECK_BASE_URL =
	'Check that Base URL in the credential is the address of the service, not of a web page or a proxy';

/** The advice for failures of the service. */
export const CONTACT_SERVICE = 'Try again later. If it continues, contact the service';

/** One line per different problem: "'Limit' must be a whole number". After MAX_PROBLEMS lines, one counts the others. */
export function problemLines(problems: readonly Problem[], label: Label): string[] {
	const lines = uniq(problems.map((problem) => `'${label(problem.path)}' ${toSentence(problem)}`));
	const more = lines.length - MAX_PROBLEMS;
	return more > 0 ? [...lines.slice(0, MAX_PROBLEMS), `and ${more} more`] : lines;
}

/** Describes a 400 or 422 whose first issues name fields of the panel: "Email: Invalid email (400 BAD_REQUEST). Correct it, then run the node again". Undefined for other errors. */
function describeNamedFields(error: ApiError, label: Label): Description | undefined {
	const { status, issues, help: { fieldsParameter, namedAdvice } = {} } = error;
	if (!isContentRejection(status) || !fieldsParameter || issues.length === 0) return undefined;
	const sentences = issues.slice(0, MAX_ISSUES).map((issue) => {
		const { where, message } = readIssue(issue);
		// "customers.3.email" or "customers[3].email".
		const field = /^\w+[.[]\d+\]?\.(.+)$/.exec(where)?.[1]?.slice(0, 80);
		return field && `${label([...fieldsParameter, field])}: ${message.slice(0, 200)}`;
	});
	if (sentences.includes(undefined)) return undefined;
	// The fix is in the message, because the column `reason` of an item shows the message only.
	const fix = namedAdvice ?? 'Correct it, then run the node again';
	return { message: `${sentences.join('. ')} (${statusName(error)}). ${fix}` };
}

/** Reads the path and message of an issue, without a final period. Any other value is its own message. */
function readIssue(issue: unknown): { readonly where: string; readonly message: string } {
	const path: unknown = get(issue, 'path') ?? [];
	const message: unknown = get(issue, 'message');
	if (typeof message === 'string')
		return { where: castArray(path).map(toText).join('.'), message: trimEnd(message, '. ') };
	return { where: '', message: isObject(issue) ? JSON.stringify(issue) : String(issue) };
}

/** Puts a colon before the words of the service, and removes their period; '' stays empty. */
const afterColon = (message: string): string =>
	message === '' ? '' : `: ${trimEnd(message, '. ')}`;

const CHECK_ENTERED =
	'Check what you entered, and Workspace Slug in the credential, then run the node again';

type DescribeStatus = (error: ApiError, statusText: string) => Description;

/** The description of each status, or of its hundred; `statusText` is the status with the words of the service. */
const statuses: Readonly<Record<number, DescribeStatus>> = {
	2: ({ message }) => ({
		message: `The service did not accept this row${afterColon(message)}`,
		advice: 'Check what you entered, then run the node again',
	}),
	3: ({ status, location = 'another address' }) => ({
		message: `The service redirected to ${location} (${status}). The redirect was not followed, because it would have sent your keys along`,
		advice: 'Enter the final address of the service as Base URL in the credential',
	}),
	4: ({ issues, help }, statusText) => {
		const message = `The service rejected the request (${statusText})`;
		if (issues.length === 0) return { message, advice: CHECK_ENTERED };
		const named = issues.slice(0, MAX_ISSUES).map((issue) => {
			const { where, message: text } = readIssue(issue);
			// Users count rows, not positions in a request. Reads send no rows.
			const field = help?.readOnly ? where : where.replace(/^\w+[.[]\d+\]?(\.|$)/, '');
			return (field === '' ? text : `${field}: ${text}`).slice(0, 200);
		});
		return {
			message: `${message}. It named: ${named.join('. ')}`,
			advice: 'Correct what it names, then run the node again',
		};
	},
	401: ({ help }, statusText) => ({
		message: `The service did not accept the credential (${statusText})`,
		advice:
			help?.credentialAdvice ??
			'Check API Key in the credential. It may be mistyped, revoked or from another workspace',
	}),
	403: (_, statusText) => ({
		message: `The credential has no access (${statusText})`,
		advice:
			'Check Workspace ID and Workspace Slug in the credential, and what the API key is allowed to do',
	}),
	404: ({ help, call }, statusText) => ({
		message: help?.notFound
			? `${help.notFound.message} (${statusText})`
			: `The service does not know this request (${statusText}, ${call})`,
		advice:
			help?.notFound?.advice ?? 'Check Base URL in the credential. It usually ends with /api/v2',
	}),
	408: describeServerError,
	413: ({ help }, statusText) => ({
		message: `The request was too large for the service (${statusText})`,
		advice: help?.readOnly
			? 'Shorten the lists of values in the filters'
			: 'Lower Batch Size in the options, or send less data per row',
	}),
	429: ({ retryAfter = 0 }, statusText) => ({
		message: `The service is limiting requests (${statusText})${retryAfter === 0 ? '' : `. It asks to wait ${plural(retryAfter, 'second')}`}`,
		advice: 'Run the workflow later or less often, or lower Parallel Requests if there are several',
	}),
	5: describeServerError,
};

/** Describes a 5xx. After a request that changes something, the user must check whether it arrived. */
function describeServerError({ help, call }: ApiError, statusText: string): Description {
	return {
		message: `The service failed (${statusText}, ${call})`,
		advice: help?.readOnly
			? CONTACT_SERVICE
			: `${CHECK_ARRIVAL}. If it continues, contact the service`,
	};
}

/** Describes an error by its status, or else by the first digit of its status: 4 for 418. */
function describeApiError(error: ApiError): Description {
	const { status, message, isForeign } = error;
	const describe = statuses[status] ?? statuses[Math.floor(status / 100)] ?? describeServerError;
	const described = describe(error, `${statusName(error)}${afterColon(message)}`);
	// A 4xx without JSON is from a web server or proxy, so Base URL may be wrong. A 5xx may mean that the service is down.
	// The service documents neither 402 Payment Required nor 407 Proxy Authentication Required.
	const isNotOfService = (isForeign && inRange(status, 400, 500)) || [402, 407].includes(status);
	return isNotOfService ? { ...described, advice: CHECK_BASE_URL } : described;
}

/** "400 BAD_REQUEST", or the number alone. */
const statusName = ({ status, code }: ApiError): string =>
	code === undefined ? `${status}` : `${status} ${code}`;
