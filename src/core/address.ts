import type { Problem } from './failures';
import type { Result } from './result';
import { fail, ok } from './result';

const VERSION = '/api/v2';
const HOST = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*)(:\d{1,5})?$/iu;
const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * The base address as requests use it, without a slash at its end: a bare host gets `/api/v2`, another version
 * is respected, and plain `http` is allowed to this machine only (interface: Versioning).
 */
export function baseAddress(entered: unknown): Result<string, Problem> {
	const text = typeof entered === 'string' ? entered.trim() : '';
	if (text === '')
		return problem('is empty. Enter the address of your workspace, e.g. https://desk.example.com');
	const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
	const parts = /^(https?):\/\/([^/?#]+)([^?#]*)([?#].*)?$/i.exec(withScheme);
	if (!parts || /[\s\\\p{Cc}]/u.test(text))
		return problem(`is not a web address. It should look like https://desk.example.com${VERSION}`);
	const [, scheme = '', host = '', folder = '', rest] = parts;
	if (host.includes('@'))
		return problem(
			'holds a user name or password. Enter only the address; keys have fields of their own',
		);
	if (rest !== undefined)
		return problem(`ends with '${rest.charAt(0)}…'. Remove everything from '${rest.charAt(0)}' on`);
	if (!HOST.test(host) || !URL.canParse(`${scheme}://${host}`)) {
		return problem(`is not a web address. It should look like https://desk.example.com${VERSION}`);
	}
	if (/\/(\.|%2e){1,2}(\/|$)/i.test(folder))
		return problem("holds '..'. Enter the address without it");
	const name = host.replace(/:\d+$/, '');
	if (scheme.toLowerCase() === 'http' && !LOCAL.test(name)) {
		return problem(
			`starts with http://, which would send your keys unencrypted. Use https://${host}`,
		);
	}
	const trimmed = folder.replace(/\/{2,}/g, '/').replace(/\/$/, '');
	const versioned = /\/v\d+$/i.test(trimmed) ? trimmed : trimmed.replace(/\/api$/i, '') + VERSION;
	return ok(`${scheme.toLowerCase()}://${host.toLowerCase()}${versioned}`);
}

const problem = (message: string): Result<string, Problem> => fail({ path: ['baseUrl'], message });
