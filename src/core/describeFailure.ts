import { toSentence } from './problems';
import type { ApiError, Failure, Problem, ConnectionError } from './failures';

/** A failure in words: the event, and the advice. */
export interface Description {
	readonly message: string;
	readonly advice?: string;
}

/** Names a field by its path, with the labels of its form. */
export type Label = (path: Problem['path']) => string;

const MAX_PROBLEMS = 20;

/** Puts a failure into words for people who never see the code. */
export function describeFailure(failure: Failure, label: Label): Description {
	switch (failure.kind) {
		case 'input':
			return { message: problemLines(failure.problems, label).join('. ') };
		case 'held':
		case 'leftOut':
			return { message: failure.message };
		case 'notFinished':
		case 'notFound':
			return { message: failure.message, advice: failure.advice };
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

const CHECK_BASE_URL =
	'Check that Base URL in the credential is the address of the service, not of a web page or a proxy';

/** The advice for failures of the service. */
export const CONTACT_SERVICE = 'Try again later. If it continues, contact the service';

/** One line for each problem: "'Limit' must be a whole number". */
export function problemLines(problems: readonly Problem[], label: Label): string[] {
	const lines = problems
		.slice(0, MAX_PROBLEMS)
		.map((problem) => `'${label(problem.path)}' ${toSentence(problem)}`);
	const more = problems.length - lines.length;
	return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** A rejection that names fields of a value: "Identifier: A customer with this identifier already exists. ... (400 BAD_REQUEST)". */
function describeNamedFields(error: ApiError, label: Label): Description | undefined {
	const { status, issues, help: { fieldsParameter, namedAdvice } = {} } = error;
	if ((status !== 400 && status !== 422) || !fieldsParameter || issues.length === 0)
		return undefined;
	const sentences = issues.slice(0, 5).map((issue) => fieldIssue(issue, fieldsParameter, label));
	if (sentences.includes(undefined)) return undefined;
	const fix = namedAdvice ?? 'Correct it, then run the node again';
	return { message: `${sentences.join('. ')}. ${fix}. (${statusName(error)})`, advice: fix };
}

/** The words of the service about a field; undefined for a path unlike `customers, 3, email`. */
function fieldIssue(
	issue: unknown,
	fieldsParameter: readonly string[],
	label: Label,
): string | undefined {
	const { where = '', message = '' } = readIssue(issue) ?? {};
	const field = /^\w+[.[]\d+\]?\.(.+)$/.exec(where)?.[1]?.slice(0, 80);
	if (field === undefined) return undefined;
	return `${label([...fieldsParameter, field])}: ${message.slice(0, 200).replace(/\.\s*$/, '')}`;
}

type DescribeStatus = (error: ApiError, statusText: string) => Description;

/** The description of each status, or of its hundred; `statusText` is the status with the words of the service. */
const statuses: Readonly<Record<number, DescribeStatus>> = {
	2: ({ message }) => ({
		message: `The service did not accept this row${message === '' ? '' : `: ${message}`}`,
		advice: 'Check what you entered, then run the node again',
	}),
	3: ({ status, location = 'another address' }) => ({
		message: `The service redirected to ${location} (${status}). The redirect was not followed, because it would have sent your keys along`,
		advice: 'Enter the final address of the service as Base URL in the credential',
	}),
	4: ({ issues, help }, statusText) => {
		const named = issues.slice(0, 5).map(issueText).join('. ');
		const isNamed = issues.length > 0;
		return {
			message: `The service rejected the request (${statusText})${isNamed ? `. It named: ${named}` : ''}`,
			advice: isNamed
				? 'Correct what it names, then run the node again'
				: (help?.rejectedAdvice ??
					'Check what you entered, and Workspace Slug in the credential, then run the node again'),
		};
	},
	401: ({ help }, statusText) => ({
		message: `The service did not accept the credential (${statusText})`,
		advice:
			help?.credentialAdvice ??
			'Check API Key in the credential. It may be mistyped, revoked or from another workspace',
	}),
	403: ({ help }, statusText) => ({
		message: `The credential has no access (${statusText})`,
		advice:
			help?.rejectedAdvice ??
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
			: 'Lower Batch Size in the options',
	}),
	429: ({ retryAfter = 0 }, statusText) => ({
		message: `The service is limiting requests (${statusText})${retryAfter === 0 ? '' : `. It asks to wait ${retryAfter} seconds`}`,
		advice: 'Run the workflow later or less often, or lower Parallel Requests if there are several',
	}),
	5: describeServerError,
};

function describeServerError({ help, call }: ApiError, statusText: string): Description {
	return {
		message: `The service failed (${statusText}, ${call})`,
		advice: help?.readOnly
			? CONTACT_SERVICE
			: `${CHECK_ARRIVAL}. If it continues, contact the service`,
	};
}

function describeApiError(error: ApiError): Description {
	const { status, message } = error;
	const describe = statuses[status] ?? statuses[Math.floor(status / 100)] ?? describeServerError;
	return describe(error, `${statusName(error)}${message === '' ? '' : `: ${message}`}`);
}

/** "400 BAD_REQUEST", or the number alone. */
const statusName = ({ status, code }: ApiError): string =>
	code === undefined ? `${status}` : `${status} ${code}`;

/** The service's words about one field, as far as they can be read. */
export function issueText(issue: unknown): string {
	const { where = '', message } = readIssue(issue) ?? {};
	const text = message ?? (typeof issue === 'object' ? JSON.stringify(issue) : String(issue));
	return (where === '' ? text : `${where}: ${text}`).slice(0, 200);
}

/** Reads the message and the path of an issue; undefined if it has another shape. */
function readIssue(issue: unknown): { where: string; message: string } | undefined {
	if (typeof issue !== 'object' || issue === null) return undefined;
	const { path, message } = issue as { path?: unknown; message?: unknown };
	if (typeof message !== 'string') return undefined;
	const steps = Array.isArray(path) ? path : typeof path === 'string' ? [path] : [];
	const where = steps.map((step) => (typeof step === 'object' ? JSON.stringify(step) : `${step}`));
	return { where: where.join('.'), message };
}

const CHECK_ARRIVAL = 'Check in the service whether it arrived before sending it again';

/** Describes why there is no response, and whether the request may have been sent. */
function describeNoResponse(error: ConnectionError): Description {
	const { message, advice } = noResponses[error.code] ?? describeConnection(error);
	// A request that only reads leaves nothing to check.
	const isRead = advice === CHECK_ARRIVAL && error.help?.readOnly === true;
	return { message, ...(advice && { advice: isRead ? READ_AGAIN : advice }) };
}

const READ_AGAIN = 'Try again later. Reading changes nothing';

function describeConnection({ code, sent, call }: ConnectionError): Description {
	const nothing = sent === 'no' ? '. Nothing was sent' : '';
	if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
		const reason = Object.entries(certificateFaults).find(([name]) => code.includes(name))?.[1];
		const because = reason === undefined ? '' : `, because its certificate ${reason}`;
		return {
			message: `The connection to the service is not trusted${because} (${code})${nothing}`,
			advice: 'Check Base URL in the credential, or ask your administrator about its certificate',
		};
	}
	if (sent === 'no')
		return {
			message: `The service could not be reached (${code})${nothing}`,
			advice: 'Check Base URL in the credential and the network of this n8n',
		};
	return {
		message: `The connection broke before a response came (${code}, ${call}). The service may have received the request`,
		advice: CHECK_ARRIVAL,
	};
}

/** Faults of a certificate by part of the code, because the socket's own message names hosts. */
const certificateFaults = {
	EXPIRED: 'has expired',
	NOT_YET: 'is not valid yet',
	ALTNAME: 'is for another host',
	SELF_SIGNED: 'is self-signed',
};

const HOST_NOT_FOUND = {
	message: 'The host of the service was not found. Nothing was sent',
	advice: 'Check the spelling of Base URL in the credential, and the network of this n8n',
};
const TIMED_OUT = {
	message: 'The service did not respond in time. It may have received the request',
	advice: CHECK_ARRIVAL,
};

const noResponses: Readonly<Record<string, Description>> = {
	ECONNREFUSED: {
		message: 'The service refused the connection (ECONNREFUSED). Nothing was sent',
		advice: 'Check the host and port of Base URL in the credential',
	},
	ENOTFOUND: HOST_NOT_FOUND,
	EAI_AGAIN: HOST_NOT_FOUND,
	ECONNABORTED: TIMED_OUT,
	ETIMEDOUT: TIMED_OUT,
	DEADLINE_EXCEEDED: {
		message: 'Not sent, because the service asked to wait longer than there was time for',
		advice: 'Try again later',
	},
	CANCELED: {
		message: 'Not sent, because the workflow was stopped',
		advice: 'Run the workflow again to send it',
	},
	ABORTED: {
		message:
			'The workflow was stopped while this was in progress. The service may have received it',
		advice: CHECK_ARRIVAL,
	},
	INTERRUPTED: {
		message:
			'An earlier attempt of this node was interrupted before the response came. The service may have received it',
		advice: 'Check in the service whether it arrived. This node does not resend it automatically',
	},
};
