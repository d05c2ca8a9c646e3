import { isRead } from './client';
import { explainSilence } from './explainSilence';
import type { ApiError, Failure, Problem } from './failures';

/** A failure in words: what happened, and what to do about it. */
export interface Explanation {
	readonly message: string;
	readonly advice?: string;
}

/** Names a field by its path, in the words of the form it stands in. */
export type Label = (path: Problem['path']) => string;

const MOST_PROBLEMS = 20;

/** Puts a failure into words for people who never see the code. */
export function explain(failure: Failure, label: Label): Explanation {
	switch (failure.kind) {
		case 'input':
			return { message: problemLines(failure.problems, label).join('; ') };
		case 'held':
		case 'skipped':
			return { message: failure.message };
		case 'notFinished':
		case 'notFound':
			return { message: failure.message, advice: failure.advice };
		case 'api':
			return explainReply(failure);
		case 'connection':
			return explainSilence(failure);
		case 'contract':
			return {
				message: `The service sent something unexpected: ${failure.message} (${failure.call}, status ${failure.status})`,
				advice:
					'Check that Base URL in the credential is the address of the service and not of a web page or a proxy',
			};
	}
}

/** One line for each problem: "'Limit' must be a whole number". */
export function problemLines(problems: readonly Problem[], label: Label): string[] {
	const lines = problems
		.slice(0, MOST_PROBLEMS)
		.map(({ path, message }) => `'${label(path)}' ${message}`);
	const more = problems.length - lines.length;
	return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function explainReply(error: ApiError): Explanation {
	const { call, status, code, message, issues } = error;
	const said = `${status}${code === undefined ? '' : ` ${code}`}${message === '' ? '' : `: ${message}`}`;
	const named =
		issues.length > 0 ? `. It named: ${issues.slice(0, 5).map(issueText).join('; ')}` : '';
	if (status >= 300 && status < 400) {
		return {
			message: `The service redirected to ${error.location ?? 'another address'} (${status}). This was not followed, because your keys would have gone along`,
			advice: 'Enter the final address of the service as Base URL in the credential',
		};
	}
	if (status === 401) {
		return {
			message: `The service did not accept the credential (${said})`,
			advice: call.includes('/customers/')
				? 'Check API Key and Access Token in the credential; customer batches need both'
				: 'Check API Key in the credential; it may be mistyped, revoked or of another workspace',
		};
	}
	if (status === 403) {
		return {
			message: `The credential has no access (${said})`,
			advice:
				'Check Workspace ID and Workspace Slug in the credential, and what the API key is allowed to do',
		};
	}
	if (status === 404) {
		return call.startsWith('GET /conversations/')
			? {
					message: `There is no such conversation, or the credential may not see it (${said})`,
					advice:
						'Check the conversation ID, and that the credential is of the workspace it belongs to',
				}
			: {
					message: `The service does not know this request (${said}, ${call})`,
					advice: 'Check Base URL in the credential; it usually ends with /api/v2',
				};
	}
	if (status === 413) {
		return {
			message: `The request was too large for the service (${said})`,
			advice: isRead(call)
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
			advice: 'Try again later; if it stays, contact the service',
		};
	}
	return {
		message: `The service refused the request (${said})${named}`,
		advice: 'Correct what it names, then run the node again',
	};
}

/** The service's words about one field, as far as they can be read. */
export function issueText(issue: unknown): string {
	if (typeof issue !== 'object' || issue === null) return String(issue).slice(0, 200);
	const { path, message } = issue as { path?: unknown; message?: unknown };
	if (typeof message !== 'string') return jsonText(issue).slice(0, 200);
	const steps = Array.isArray(path) ? path : typeof path === 'string' ? [path] : [];
	const where = steps.map((step) => (typeof step === 'object' ? jsonText(step) : String(step)));
	return [where.join('.'), message]
		.filter((text) => text !== '')
		.join(': ')
		.slice(0, 200);
}

/** A value as JSON; one that is nested too deeply for that is not shown. */
function jsonText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '(nested too deeply to show)';
	}
}
