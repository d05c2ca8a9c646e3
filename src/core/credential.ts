import { compact, mapValues } from 'lodash';
import type { Problem } from './failures';
import { fail, ok, type Result } from './result';
import { EXAMPLE_ID, UUID } from './schemas';

/** A checked credential; it is never part of an item, an error or a hint. */
export interface Access {
	readonly baseUrl: string;
	/** Every header but the bearer token (interface: Authentication). */
	readonly headers: Readonly<Record<string, string>>;
	/** The `Authorization` header, if there is a token. */
	readonly authorization?: string;
	readonly bearerEverywhere: boolean;
	/** The address and the workspace, the same in every spelling of both. */
	readonly account: readonly [address: string, workspace: string];
	/** The keys that no response may show. */
	readonly secrets: readonly string[];
}

/** The fields of the credential and their labels, in the words of its form. */
export const credentialLabels = {
	baseUrl: 'Base URL',
	apiKey: 'API Key',
	workspaceId: 'Workspace ID',
	workspaceSlug: 'Workspace Slug',
	accessToken: 'Access Token',
} as const;

/** The name of a field of the credential. */
export type CredentialField = keyof typeof credentialLabels;

/** The label of a field of the credential; undefined for any other name. */
export const credentialLabelOf = (field: unknown): string | undefined =>
	Object.entries(credentialLabels).find(([name]) => name === field)?.[1];

/** Checks the credential and builds what requests need of it. `needs` lists the optional fields that the operation requires. */
export function readCredential(
	data: Readonly<Record<string, unknown>>,
	needs: readonly CredentialField[] = [],
): Result<Access, Problem[]> {
	const fields = mapValues(credentialLabels, (_, name) => String(data[name] ?? '').trim());
	const { apiKey, workspaceId, workspaceSlug } = fields;
	const address = readBaseUrl(fields.baseUrl);
	const problems = compact([
		!address.ok && address.failure,
		apiKey === '' && problem('apiKey', 'is empty. Copy it from your workspace settings'),
		!UUID.test(workspaceId) && problem('workspaceId', NOT_A_UUID),
		...HEADER_FIELDS.map(
			(name) => !PRINTABLE_ASCII.test(fields[name]) && problem(name, NOT_IN_HEADER),
		),
		...needs.map((name) => fields[name] === '' && problem(name, NEEDED)),
	]);
	if (!address.ok || problems.length > 0) return fail(problems);
	// Users may paste the token with its prefix "Bearer".
	const token = fields.accessToken.replace(/^(bearer\s+)+/i, '');
	return ok({
		baseUrl: address.value,
		headers: {
			'x-api-key': apiKey,
			'x-workspace-id': workspaceId,
			...(workspaceSlug !== '' && { 'x-workspace-slug': workspaceSlug }),
		},
		...(token !== '' && { authorization: `Bearer ${token}` }),
		bearerEverywhere: data['bearerWithEveryRequest'] === true,
		// In lower case, because it is only compared and never shown.
		account: [address.value.toLowerCase(), workspaceId.toLowerCase()],
		secrets: [apiKey, token],
	});
}

/** Builds the problem of a field of the credential. */
const problem = (field: CredentialField, reason: string): Problem => ({
	path: ['credential', field],
	reason,
});

const HEADER_FIELDS = ['apiKey', 'workspaceSlug', 'accessToken'] as const;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const NOT_IN_HEADER =
	'contains a line break or a character that is not allowed in a header. Copy it again as plain text';
const NOT_A_UUID = `is not a UUID. It should look like ${EXAMPLE_ID}`;
const NEEDED = 'is empty. Customer batches need it, so enter it in the credential';

/** Builds the headers of a request. Only /customers and below get the bearer token, unless the user chose it everywhere. */
export function headersFor(access: Access, url: string): Record<string, string> {
	const { authorization, baseUrl, bearerEverywhere, headers } = access;
	const wantsToken = bearerEverywhere || isBelow(url, `${baseUrl}/customers`);
	return {
		...headers,
		...(wantsToken && authorization !== undefined && { Authorization: authorization }),
	};
}

/** Whether a URL may receive keys: it is `baseUrl`, whose path has no final slash, or below it. */
export function isBelow(url: string, baseUrl: string): boolean {
	if (!URL.canParse(url)) return false;
	const base = new URL(baseUrl);
	const target = new URL(url);
	const isInside = `${target.pathname}/`.startsWith(`${base.pathname}/`);
	// A proxy may decode dots and slashes, and the path may then be outside the base address.
	const mayLeave = /\.\.|%(25)*(2e|2f|5c)/i.test(target.pathname);
	return target.origin === base.origin && isInside && !mayLeave;
}

const VERSION = '/api/v2';
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const NOT_ENCRYPTED = 'starts with http://, which would send your keys unencrypted';
const NO_ADDRESS = `is not the address of a service. It should look like https://desk.example.com${VERSION}`;

/** Reads the base address. Adds a missing https:// and version /api/v2. Only a local host may have http://. */
export function readBaseUrl(text: string): Result<string, Problem> {
	// "localhost:3000" has a port, and no protocol before its colon.
	const address = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`;
	// A user name, query or fragment is rejected, because it would be lost or sent with each request.
	if (/[\s\\@?#<>"'`]/.test(text) || !/^https?:/i.test(address) || !URL.canParse(address))
		return fail(problem('baseUrl', NO_ADDRESS));
	const { protocol, host, hostname, pathname, origin } = new URL(address);
	if (protocol === 'http:' && !LOCAL.test(hostname))
		return fail(problem('baseUrl', `${NOT_ENCRYPTED}. Use https://${host}`));
	const folder = pathname.replace(/\/+/g, '/').replace(/\/$/, '');
	const isVersioned = /\/v\d+$/i.test(folder);
	return ok(origin + (isVersioned ? folder : folder.replace(/\/api$/i, '') + VERSION));
}
