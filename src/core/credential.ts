import compact from 'lodash/compact';
import mapValues from 'lodash/mapValues';
import type { Problem } from './failures';
import type { Result } from './result';
import { fail, ok } from './result';
import { EXAMPLE_ID, UUID } from './schemas';

/** A checked credential; it is never part of an item, an error or a hint. */
export interface Access {
	readonly baseUrl: string;
	/** Every header but the bearer token. */
	readonly headers: Readonly<Record<string, string>>;
	/** The `Authorization` header, if there is a token. */
	readonly authorization?: string;
	readonly bearerEverywhere: boolean;
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

/** Checks the credential and builds its headers; rejects only what breaks the interface (Authentication). */
export function readCredential(
	data: Readonly<Record<string, unknown>>,
	needs: readonly CredentialField[] = [],
): Result<Access, Problem[]> {
	const fields = mapValues(credentialLabels, (_, name) => String(data[name] ?? '').trim());
	const address = readBaseUrl(fields.baseUrl);
	const problems = compact([
		!address.ok && address.failure,
		fields.apiKey === '' && problem('apiKey', 'is empty. Copy it from your workspace settings'),
		!UUID.test(fields.workspaceId) && problem('workspaceId', NOT_A_UUID),
		...sentAsTyped.map((name) => !IN_HEADER.test(fields[name]) && problem(name, NOT_IN_HEADER)),
		...needs.map((name) => fields[name] === '' && problem(name, NEEDED)),
	]);
	if (!address.ok || problems.length > 0) return fail(problems);
	const { apiKey, workspaceId, workspaceSlug } = fields;
	const token = withoutScheme(fields.accessToken);
	return ok({
		baseUrl: address.value,
		headers: {
			'x-api-key': apiKey,
			'x-workspace-id': workspaceId,
			...(workspaceSlug !== '' && { 'x-workspace-slug': workspaceSlug }),
		},
		...(token !== '' && { authorization: `Bearer ${token}` }),
		bearerEverywhere: data['bearerWithEveryRequest'] === true,
	});
}

const problem = (field: CredentialField, message: string): Problem => ({
	path: ['credential', field],
	reason: message,
});

const sentAsTyped = ['apiKey', 'workspaceSlug', 'accessToken'] as const;
const IN_HEADER = /^[\x20-\x7e]*$/;
const NOT_IN_HEADER =
	'contains a line break or a character that is not allowed in a header. Copy it again as plain text';
const NOT_A_UUID = `is not a UUID. It should look like ${EXAMPLE_ID}`;
const NEEDED = 'is empty. Customer batches need it, so enter it in the credential';

/** The address and workspace of a credential, the same in every spelling of both. */
export const accountOf = ({ baseUrl, headers }: Access): [address: string, workspace: string] => [
	new URL(baseUrl).href.toLowerCase(),
	(headers['x-workspace-id'] ?? '').toLowerCase(),
];

/** A key or token without the word `Bearer`. */
export const withoutScheme = (secret: unknown): string =>
	String(secret ?? '')
		.trim()
		.replace(/^(bearer\s+)+/i, '');

/** The headers of one request. The bearer token is part of customer calls, or of all by option. */
export function headersFor(access: Access, url: string): Record<string, string> {
	const wantsToken = access.bearerEverywhere || isBelow(`${access.baseUrl}/customers`, url);
	return {
		...access.headers,
		...(wantsToken &&
			access.authorization !== undefined && { Authorization: access.authorization }),
	};
}

/** Whether a URL is the base address or below it, with `..` resolved as a client or a proxy does. */
export function isBelow(baseUrl: string, url: string): boolean {
	if (!URL.canParse(url) || !URL.canParse(baseUrl)) return false;
	const target = new URL(url);
	const base = new URL(baseUrl);
	const isInside = `${target.pathname}/`.startsWith(`${base.pathname}/`);
	return target.origin === base.origin && isInside && !LEAVES.test(target.pathname);
}

/** Two dots as a segment, also encoded several times, because a proxy may decode them. */
const LEAVES = /(\/|\\|%(25)*(2f|5c))(\.|%(25)*2e){2}(?=$|[/\\;]|%(25)*(2f|5c|3b))/i;

const VERSION = '/api/v2';
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const NO_ADDRESS = `is not a web address. It should look like https://desk.example.com${VERSION}`;

/** The base address: a bare host gets `/api/v2`, and plain `http` needs a local host (interface: Versioning). */
export function readBaseUrl(entered: string): Result<string, Problem> {
	const text = entered.trim();
	const reject = (reason: string) => fail(problem('baseUrl', reason));
	if (text === '')
		return reject('is empty. Enter the address of your workspace, e.g. https://desk.example.com');
	// Without its colon or slashes, https would be read as the host.
	const isMisspelt = /^https?(?!:\/\/[^/])[:/]/i.test(text);
	// A colon before a digit starts a port.
	const address = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`;
	if (isMisspelt || /[\s\\\p{C}]/u.test(text) || !URL.canParse(address)) return reject(NO_ADDRESS);
	const { protocol, username, password, host, hostname, pathname, origin } = new URL(address);
	if (!['http:', 'https:'].includes(protocol)) return reject(NO_ADDRESS);
	if (username !== '' || password !== '')
		return reject(
			'contains a user name or password. Enter only the address. Keys have their own fields',
		);
	const more = /[?#]/.exec(text)?.[0];
	if (more !== undefined) return reject(`contains '${more}'. Remove it and everything after it`);
	if (protocol === 'http:' && !LOCAL.test(hostname))
		return reject(
			`starts with http://, which would send your keys unencrypted. Use https://${host}`,
		);
	const folder = pathname.replace(/\/+/g, '/').replace(/\/$/, '');
	const isVersioned = /\/v\d+$/i.test(folder);
	return ok(origin + (isVersioned ? folder : folder.replace(/\/api$/i, '') + VERSION));
}
