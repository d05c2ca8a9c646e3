import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { toFailure, contractError } from '../../src/core/client';
import { headersFor, readCredential } from '../../src/core/credential';
import type { Failure } from '../../src/core/failures';
import { describeFailure } from '../../src/core/describeFailure';
import type { HttpResult } from '../../src/core/http';
import { readBody } from '../../src/core/http';
import { searchRequest } from '../../src/tickets/search/query';
import { pageSchema } from '../../src/tickets/ticket';
import { labelIn } from './labels';
import { ENTER_SLUG } from './missingSlug';
import { redactorFor, requestOptions, toAnswer, toNoReply } from './transport';

/** Proves address, key, workspace and slug with a search for one ticket; a bearer token cannot be proved without writing. */
export async function testCredential(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const failure = await findFailure(this, credential.data ?? {});
	if (failure === undefined) return { status: 'OK', message: 'Connection successful!' };
	const { message, advice } = describeFailure(failure, labelIn([]));
	const sentences = [message, adviceFor(failure, credential.data) ?? advice];
	const told = sentences.filter((sentence) => sentence !== undefined);
	return { status: 'Error', message: told.length === 1 ? message : `${told.join('. ')}.` };
}

/** What to do where the service refuses the search of this test because it needs a slug. */
function adviceFor(
	failure: Failure,
	data: ICredentialDataDecryptedObject = {},
): string | undefined {
	const refused = failure.kind === 'api' && [400, 403].includes(failure.status);
	return refused && String(data['workspaceSlug'] ?? '').trim() === '' ? ENTER_SLUG : undefined;
}

async function findFailure(
	tester: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): Promise<Failure | undefined> {
	const access = readCredential(data);
	if (!access.ok) {
		const problems = access.failure.map(({ path, message }) => ({
			path: ['credential', ...path],
			message,
		}));
		return { kind: 'input', problems };
	}
	const request = searchRequest({ filters: {}, sort: [], select: [] }, { limit: 1, offset: 0 });
	const options = requestOptions(access.value.baseUrl, request);
	const redact = redactorFor(data);
	const response = await ask(
		tester,
		{ ...options, headers: { ...options.headers, ...headersFor(access.value, options.url) } },
		redact,
	);
	const error = toFailure(request, response, Date.now());
	if (error || response.kind === 'noResponse') return error;
	const body = readBody(response.text);
	const right = body.kind === 'json' && pageSchema.safeParse(body.value).success;
	return right ? undefined : contractError(request, response, 'is not a page of tickets');
}

/** The helpers of a credential test hold one way to send a request, in the older form of its options. */
async function ask(
	tester: ICredentialTestFunctions,
	options: ReturnType<typeof requestOptions>,
	redact: ReturnType<typeof redactorFor>,
): Promise<HttpResult> {
	const { url, method, headers, body, timeout } = options;
	try {
		const reply: unknown = await tester.helpers.request({
			uri: url,
			method,
			headers,
			body: JSON.stringify(body),
			timeout,
			followRedirect: false,
			followAllRedirects: false,
			simple: false,
			resolveWithFullResponse: true,
		});
		return toAnswer(reply as IN8nHttpFullResponse, redact);
	} catch (error) {
		return toNoReply(error);
	}
}
