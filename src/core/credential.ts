import type { Problem } from './failures';
import type { Result } from './result';
import { fail, ok } from './result';
import { EXAMPLE_ID, MIN_SECRET_LENGTH, UUID, visible } from './text';

/** A checked credential; it is never part of an item, an error or a hint. */
export interface Access {
	readonly baseUrl: string;
	/** Every header but the bearer token. */
	readonly headers: Readonly<Record<string, string>>;
	/** The `Authorization` header, where there is a token. */
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

/** The label of a field of the credential; undefined where it has none. */
export const credentialLabelOf = (field: unknown): string | undefined =>
	Object.entries(credentialLabels).find(([name]) => name === field)?.[1];

/** Checks the fields of the credential, some of them needed by an operation, and makes the headers (interface: Authentication). */
export function readCredential(
	data: Readonly<Record<string, unknown>>,
	needs: readonly CredentialField[] = [],
): Result<Access, Problem[]> {
	const text = (field: CredentialField): string => String(data[field] ?? '').trim();
	const address = readBaseUrl(data['baseUrl']);
	const missing = needs.filter((field) => text(field) === '');
	const problems = [
		...(address.ok ? [] : [address.failure]),
		...headerProblems(text),
		...missing.map((field) => ({ path: [field], message: NEEDED })),
	];
	if (!address.ok || problems.length > 0) return fail(problems);
	const token = withoutScheme(data['accessToken']);
	const slug = text('workspaceSlug');
	return ok({
		baseUrl: address.value,
		headers: {
			'x-api-key': text('apiKey'),
			'x-workspace-id': text('workspaceId'),
			...(slug !== '' && { 'x-workspace-slug': slug }),
		},
		...(token !== '' && { authorization: `Bearer ${token}` }),
		bearerEverywhere: data['bearerWithEveryRequest'] === true,
	});
}

const NEEDED = 'is empty. Customer batches need it, so enter it in the credential';

/** The address and the workspace that whatever was sent belongs to, the same in every spelling of both. */
export const accountOf = ({ baseUrl, headers }: Access): [address: string, workspace: string] => [
	new URL(baseUrl).href.toLowerCase(),
	(headers['x-workspace-id'] ?? '').toLowerCase(),
];

/** A key or token as it is kept secret: without the word that says what it is. */
export const withoutScheme = (secret: unknown): string =>
	String(secret ?? '')
		.trim()
		.replace(/^(bearer\s+)+/i, '');

function headerProblems(text: (field: CredentialField) => string): Problem[] {
	const id = text('workspaceId');
	const mistakes = {
		apiKey:
			text('apiKey') === ''
				? 'is empty. Copy it from your workspace settings'
				: headerMistake('apiKey', text('apiKey')),
		workspaceSlug: headerMistake('workspaceSlug', text('workspaceSlug')),
		accessToken: headerMistake('accessToken', text('accessToken')),
		workspaceId: UUID.test(id)
			? id === EXAMPLE_ID && 'is only an example. Copy the ID of your workspace'
			: `is not a UUID. It should look like ${EXAMPLE_ID}`,
	};
	return Object.entries(mistakes).flatMap(([field, message]) =>
		message ? [{ path: [field], message }] : [],
	);
}

/** What is wrong with a key, token or slug as it was copied; what only the service knows is not guessed. */
function headerMistake(
	field: 'apiKey' | 'workspaceSlug' | 'accessToken',
	text: string,
): string | undefined {
	const secret = withoutScheme(text);
	if (QUOTED.test(secret)) return 'is in quotation marks. Remove them';
	if (visible(text) !== text)
		return 'contains an invisible character, not allowed in a header. Copy it as plain text';
	if (!/^[\x21-\x7e]*( [\x21-\x7e]+)*$/.test(text))
		return 'contains a line break or a character that is not allowed in a header. Copy it again';
	if (/^(x-(api-key|workspace-(id|slug))|authorization)\s*[:=]/i.test(text))
		return 'begins with the name of a header. Enter only what comes after it';
	if (field === 'workspaceSlug')
		return /[/\s]/.test(text)
			? 'is not a short name. Enter it alone, e.g. my-workspace'
			: undefined;
	if (/^(<.*>|\[.*\]|\{.*\})$|^your[ _-].*(key|token)$/i.test(secret))
		return 'is a placeholder. Replace it with your own';
	if (/\*{3}|\.{3}$/.test(secret))
		return 'is not shown in full where you copied it. Copy all of it';
	if (secret !== '' && secret.length < MIN_SECRET_LENGTH)
		return `is shorter than ${MIN_SECRET_LENGTH} characters. Copy all of it`;
	return field === 'apiKey' && secret !== text
		? "begins with 'Bearer'. Enter only the key. A bearer token is an 'Access Token'"
		: undefined;
}

/** Quotation marks and backticks around a text. */
const QUOTED = /^[\x22\x27\x60´‘’‚“”„«»].*[\x22\x27\x60´‘’“”«»]$/s;

/** The headers of one request: the bearer token goes with customer calls only, unless asked for everywhere. */
export function headersFor(access: Access, url: string): Record<string, string> {
	const wantsToken = access.bearerEverywhere || isBelow(`${access.baseUrl}/customers`, url);
	return {
		...access.headers,
		...(wantsToken &&
			access.authorization !== undefined && { Authorization: access.authorization }),
	};
}

/** Whether a request goes to the base address or below it, with `..` and the like resolved as the wire, or a proxy, does. */
export function isBelow(baseUrl: string, url: string): boolean {
	if (!URL.canParse(url) || !URL.canParse(baseUrl)) return false;
	const target = new URL(url);
	const base = new URL(baseUrl);
	const inside =
		target.pathname === base.pathname || target.pathname.startsWith(`${base.pathname}/`);
	return target.origin === base.origin && inside && !LEAVES.test(target.pathname);
}

/** Dots between slashes of which some are encoded, once or more: a proxy may decode what a client leaves. */
const LEAVES = /(\/|\\|%(25)*(2f|5c))(\.|%(25)*2e){2}(?=$|[/\\;]|%(25)*(2f|5c|3b))/i;

const VERSION = '/api/v2';
const NO_ADDRESS = `is not a web address. It should look like https://desk.example.com${VERSION}`;
const HOST = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*)(:\d{1,5})?$/iu;
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * The base address as requests use it, without a slash at its end: a bare host gets `/api/v2`, another version
 * is respected, and plain `http` is allowed to this machine only (interface: Versioning).
 */
export function readBaseUrl(entered: unknown): Result<string, Problem> {
	const text = typeof entered === 'string' ? entered.trim() : '';
	if (text === '')
		return problem('is empty. Enter the address of your workspace, e.g. https://desk.example.com');
	if (QUOTED.test(text)) return problem('is in quotation marks. Remove them');
	if (visible(text) !== text)
		return problem('contains an invisible character. Delete the field, then type the address');
	if (/^\W*https?([:/]|$)/i.test(text) && !/^https?:\/\/[^/]/i.test(text))
		return problem(NO_ADDRESS);
	const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
	const parts = /^(https?):\/\/([^/?#]+)([^?#]*)([?#].*)?$/i.exec(withScheme);
	if (!parts || /[\s\\\p{Cc}]/u.test(text)) return problem(NO_ADDRESS);
	const [, scheme = '', host = '', folder = '', rest] = parts;
	if (host.includes('@'))
		return problem(
			'contains a user name or password. Enter only the address. Keys have their own fields',
		);
	if (rest !== undefined)
		return problem(`contains '${rest.charAt(0)}'. Remove it and everything after it`);
	if (/:(\D.*|\d{6,}|[7-9]\d{4})?$/.test(host.replace(/^\[.*\]/, '')))
		return problem(
			'is not a web address. Its port is a number, e.g. https://desk.example.com:8443',
		);
	if (!HOST.test(host) || !URL.canParse(`${scheme}://${host}`)) return problem(NO_ADDRESS);
	if (/\/(\.|%2e){1,2}(\/|$)/i.test(folder))
		return problem("contains '..'. Enter the address without it");
	const name = host.replace(/:\d+$/, '');
	if (scheme.toLowerCase() === 'http' && !LOCAL.test(name)) {
		return problem(
			`starts with http://, which would send your keys unencrypted. Use https://${host}`,
		);
	}
	const beyond = /\/api\/(v\d+)\/+(tickets|customers|conversations)\b/i.exec(folder)?.[1];
	if (beyond !== undefined)
		return problem(`continues after /api/${beyond}. Remove everything after it`);
	const trimmed = folder.replace(/\/{2,}/g, '/').replace(/\/$/, '');
	const versioned = /\/v\d+$/i.test(trimmed) ? trimmed : trimmed.replace(/\/api$/i, '') + VERSION;
	return ok(`${scheme.toLowerCase()}://${host.toLowerCase()}${versioned}`);
}

const problem = (message: string): Result<string, Problem> => fail({ path: ['baseUrl'], message });
