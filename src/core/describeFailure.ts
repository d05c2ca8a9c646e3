import { toSentence } from './problems';
import type { ApiError, Failure, Problem, ConnectionError } from './failures';

/** A failure in words: what happened, and what to do about it. */
export interface Description {
	readonly message: string;
	readonly advice?: string;
}

/** Names a field by its path, in the words of the form it stands in. */
export type Label = (path: Problem['path']) => string;

const MAX_PROBLEMS = 20;

/** Puts a failure into words for people who never see the code. */
export function describeFailure(failure: Failure, label: Label): Description {
	switch (failure.kind) {
		case 'input':
			return { message: problemLines(failure.problems, label).join('. ') };
		case 'held':
		case 'skipped':
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

/** What to do where it is the service that fails. */
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
	const { status, code, issues, help = {} } = error;
	const { fieldsIn, namedAdvice } = help;
	if ((status !== 400 && status !== 422) || !fieldsIn || issues.length === 0) return undefined;
	const said = issues.slice(0, 5).map((issue) => fieldIssue(issue, fieldsIn, label));
	if (said.includes(undefined)) return undefined;
	const fix = namedAdvice ?? 'Correct it, then run the node again';
	const reason = `${status}${code === undefined ? '' : ` ${code}`}`;
	return { message: `${said.join('. ')}. ${fix}. (${reason})`, advice: fix };
}

/** The words of the service about a field of a value, where its path is one such as customers, 3, email. */
function fieldIssue(issue: unknown, fieldsIn: readonly string[], label: Label): string | undefined {
	const { where = '', message = '' } = readIssue(issue) ?? {};
	const field = /^\w+[.[]\d+\]?\.(.+)$/.exec(where)?.[1]?.slice(0, 80);
	if (field === undefined) return undefined;
	return `${label([...fieldsIn, field])}: ${message.slice(0, 200).replace(/\.\s*$/, '')}`;
}

function describeApiError(error: ApiError): Description {
	const { call, status, code, message, issues, help = {} } = error;
	const said = `${status}${code === undefined ? '' : ` ${code}`}${message === '' ? '' : `: ${message}`}`;
	const named =
		issues.length > 0 ? `. It named: ${issues.slice(0, 5).map(issueText).join('. ')}` : '';
	if (status < 300) {
		return {
			message: `The service did not accept this row${message === '' ? '' : `: ${message}`}`,
			advice: 'Check what you entered, then run the node again',
		};
	}
	if (status < 400) {
		return {
			message: `The service redirected to ${error.location ?? 'another address'} (${status}). The redirect was not followed, because it would have sent your keys along`,
			advice: 'Enter the final address of the service as Base URL in the credential',
		};
	}
	if (status === 401) {
		return {
			message: `The service did not accept the credential (${said})`,
			advice:
				help.credentialAdvice ??
				'Check API Key in the credential. It may be mistyped, revoked or from another workspace',
		};
	}
	if (status === 403) {
		return {
			message: `The credential has no access (${said})`,
			advice:
				help.rejectedAdvice ??
				'Check Workspace ID and Workspace Slug in the credential, and what the API key is allowed to do',
		};
	}
	if (status === 404) {
		return help.notFound
			? { message: `${help.notFound.message} (${said})`, advice: help.notFound.advice }
			: {
					message: `The service does not know this request (${said}, ${call})`,
					advice: 'Check Base URL in the credential. It usually ends with /api/v2',
				};
	}
	if (status === 413) {
		return {
			message: `The request was too large for the service (${said})`,
			advice: help.readOnly
				? 'Shorten the lists of values in the filters'
				: 'Lower Batch Size in the options',
		};
	}
	if (status === 429) {
		const wait =
			(error.retryAfter ?? 0) === 0 ? '' : `. It asks to wait ${error.retryAfter} seconds`;
		return {
			message: `The service is limiting requests (${said})${wait}`,
			advice: 'Run the workflow later, or lower Parallel Requests in the options',
		};
	}
	if (status >= 500 || status === 408) {
		return {
			message: `The service failed (${said}, ${call})`,
			advice: help.readOnly
				? CONTACT_SERVICE
				: `${CHECK_ARRIVAL}. If it continues, contact the service`,
		};
	}
	return {
		message: `The service rejected the request (${said})${named}`,
		advice:
			issues.length > 0
				? 'Correct what it names, then run the node again'
				: (help.rejectedAdvice ??
					'Check what you entered, and Workspace Slug in the credential, then run the node again'),
	};
}

/** The service's words about one field, as far as they can be read. */
export function issueText(issue: unknown): string {
	const { where = '', message } = readIssue(issue) ?? {};
	const said = message ?? (typeof issue === 'object' ? jsonText(issue) : String(issue));
	return [where, said]
		.filter((text) => text !== '')
		.join(': ')
		.slice(0, 200);
}

/** What an issue says and about which place; undefined where it is in no usual shape. */
function readIssue(issue: unknown): { where: string; message: string } | undefined {
	if (typeof issue !== 'object' || issue === null) return undefined;
	const { path, message } = issue as { path?: unknown; message?: unknown };
	if (typeof message !== 'string') return undefined;
	const steps = Array.isArray(path) ? path : typeof path === 'string' ? [path] : [];
	const where = steps.map((step) => (typeof step === 'object' ? jsonText(step) : String(step)));
	return { where: where.join('.'), message };
}

/** A value as JSON; one that is nested too deeply for that is not shown. */
function jsonText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '(nested too deeply to show)';
	}
}

const CHECK_ARRIVAL = 'Check in the service whether it arrived before sending it again';

/** Puts into words why no reply came, and whether something may have been sent. */
function describeNoResponse({ code, sent, call, help }: ConnectionError): Description {
	const known = noResponses[code];
	// No one has to look for a request that only reads.
	const readAgain = help?.readOnly ? 'Try again later. Reading changes nothing' : CHECK_ARRIVAL;
	if (known) return known.advice === CHECK_ARRIVAL ? { ...known, advice: readAgain } : known;
	if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
		return {
			message: `The connection to the service is not trusted${untrusted(code)} (${code})${sent === 'no' ? '. Nothing was sent' : ''}`,
			advice: 'Check Base URL in the credential, or ask your administrator about its certificate',
		};
	}
	return sent === 'no'
		? {
				message: `The service could not be reached (${code}). Nothing was sent`,
				advice: 'Check Base URL in the credential and the network of this n8n',
			}
		: {
				message: `The connection broke before a response came (${code}, ${call}). The service may have received the request`,
				advice: readAgain,
			};
}

/** Why a certificate is not trusted. The words of the socket would name hosts that a model must not learn. */
function untrusted(code: string): string {
	if (/EXPIRED/.test(code)) return ', because its certificate has expired';
	if (/NOT_YET/.test(code)) return ', because its certificate is not valid yet';
	if (/ALTNAME/.test(code)) return ', because its certificate is for another host';
	return /SELF_SIGNED/.test(code) ? ', because its certificate is self-signed' : '';
}

const REFUSED = {
	message: 'The service refused the connection (ECONNREFUSED). Nothing was sent',
	advice: 'Check the host and port of Base URL in the credential',
};
const NOT_FOUND = {
	message: 'The host of the service was not found. Nothing was sent',
	advice: 'Check the spelling of Base URL in the credential, and the network of this n8n',
};
const TIMED_OUT = {
	message: 'The service did not respond in time. It may have received the request',
	advice: CHECK_ARRIVAL,
};

const noResponses: Readonly<Record<string, Description>> = {
	ECONNREFUSED: REFUSED,
	ENOTFOUND: NOT_FOUND,
	EAI_AGAIN: NOT_FOUND,
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
