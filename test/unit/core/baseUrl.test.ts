import { readBaseUrl } from '../../../src/core/credential';

describe('the base address', () => {
	it.each([
		['desk.example.com', 'https://desk.example.com/api/v2'],
		['desk.example.com/', 'https://desk.example.com/api/v2'],
		['desk.example.com:8443', 'https://desk.example.com:8443/api/v2'],
		['  https://desk.example.com  ', 'https://desk.example.com/api/v2'],
		['https://desk.example.com', 'https://desk.example.com/api/v2'],
		['https://desk.example.com/', 'https://desk.example.com/api/v2'],
		['https://desk.example.com////', 'https://desk.example.com/api/v2'],
		['https://desk.example.com:8443/', 'https://desk.example.com:8443/api/v2'],
		['https://desk.example.com/api', 'https://desk.example.com/api/v2'],
		['https://desk.example.com/api/', 'https://desk.example.com/api/v2'],
		['https://desk.example.com/api/v2', 'https://desk.example.com/api/v2'],
		['https://desk.example.com/api/v2/', 'https://desk.example.com/api/v2'],
		['https://desk.example.com/api//v2//', 'https://desk.example.com/api/v2'],
		['https://desk.example.com/api/v3', 'https://desk.example.com/api/v3'],
		['https://desk.example.com/api/v12/', 'https://desk.example.com/api/v12'],
		['https://proxy.example.com/desk', 'https://proxy.example.com/desk/api/v2'],
		['https://proxy.example.com/desk/api', 'https://proxy.example.com/desk/api/v2'],
		['https://proxy.example.com/api/desk', 'https://proxy.example.com/api/desk/api/v2'],
		['https://proxy.example.com/api/v1/desk', 'https://proxy.example.com/api/v1/desk/api/v2'],
		['https://proxy.example.com/v1/desk', 'https://proxy.example.com/v1/desk/api/v2'],
		['https://proxy.example.com/Desk/api/v2', 'https://proxy.example.com/Desk/api/v2'],
		['HTTPS://DESK.Example.COM', 'https://desk.example.com/api/v2'],
		['http://localhost:3000', 'http://localhost:3000/api/v2'],
		['HTTP://LOCALHOST:3000', 'http://localhost:3000/api/v2'],
		['http://127.0.0.1', 'http://127.0.0.1/api/v2'],
		['http://127.8.9.10:80/api/v2', 'http://127.8.9.10:80/api/v2'],
		['http://[::1]', 'http://[::1]/api/v2'],
		['http://[::1]:3000', 'http://[::1]:3000/api/v2'],
		['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443/api/v2'],
	])('reads %j as %s', (entered, expected) => {
		expect(readBaseUrl(entered)).toEqual({ ok: true, value: expected });
	});

	it('is the same after it was read once', () => {
		for (const entered of ['desk.example.com', 'http://[::1]:3000/x/', 'https://a.b/api/v7']) {
			const once = readBaseUrl(entered);
			expect(once.ok && readBaseUrl(once.value)).toEqual(once);
		}
	});

	it.each([
		['http://desk.example.com', 'unencrypted. Use https://desk.example.com'],
		['http://localhost.example.com', 'unencrypted'],
		['http://127.0.0.1.example.com', 'unencrypted'],
		['http://127.0.0', 'unencrypted'],
		['http://10.0.0.1', 'unencrypted'],
		['http://0.0.0.0', 'unencrypted'],
		['http://2130706433', 'unencrypted'],
		['http://[::2]', 'unencrypted'],
		['http://[::ffff:10.0.0.1]', 'unencrypted'],
		['https://user:pass@desk.example.com', 'user name or password'],
		['http://localhost@desk.example.com', 'user name or password'],
		['user@desk.example.com', 'user name or password'],
		['https://desk.example.com:443@evil.example.com', 'user name or password'],
		['https://desk.example.com?x=1', "contains '?'"],
		['https://desk.example.com/api/v2?x=1#y', "contains '?'"],
		['https://desk.example.com/#x', "contains '#'"],
		['desk.example.com?next=https://x', "contains '?'"],
		['https://desk.example.com/../x', "contains '..'"],
		['https://desk.example.com/api/v2/..', "contains '..'"],
		['https://desk.example.com/%2e%2e/x', "contains '..'"],
		['https://desk example.com', 'not a web address'],
		['https://desk.example.com/a b', 'not a web address'],
		['https://desk.example.com\n/api', 'not a web address'],
		['https://desk.example.com\r\nx: y', 'not a web address'],
		['https://desk.example.com/\u0000', 'not a web address'],
		['https://desk.example.com%0d%0ax', 'not a web address'],
		['https:/desk.example.com', 'not a web address'],
		['http:localhost', 'not a web address'],
		['https://:8080', 'not a web address'],
		['https://a:b:c', 'not a web address'],
		['https://localhost\\@desk.example.com', 'not a web address'],
		['https://desk..example.com', 'not a web address'],
		['https://*.example.com', 'not a web address'],
		['https://desk.example.com:', 'Its port is a number'],
		['desk.example.com:https', 'Its port is a number'],
		['desk.example.com: 443', 'It should look like'],
		['https://desk.example.com:99999', 'Its port is a number'],
		['https://[1::2::3]', 'not a web address'],
		['xhttps://desk.example.com', 'not a web address'],
		['https://desk.example.com/api/v2/tickets/search', 'continues after /api/v2. Remove'],
		['ftp://desk.example.com', 'not a web address'],
		['https//a.b', 'not a web address'],
		['https:/a.b', 'not a web address'],
		['<https://a.b>', 'not a web address'],
		['file:///etc/passwd', 'not a web address'],
		['javascript://desk.example.com', 'not a web address'],
		['https://', 'not a web address'],
		['https:///api/v2', 'not a web address'],
		['', 'is empty'],
		['   ', 'is empty'],
		[undefined, 'is empty'],
		[null, 'is empty'],
		[42, 'is empty'],
		[{}, 'is empty'],
	])('refuses %j', (entered, message) => {
		const read = readBaseUrl(entered);
		expect(read).toEqual({
			ok: false,
			failure: { path: ['baseUrl'], message: expect.stringContaining(message) as string },
		});
	});

	it('does not repeat a password in its problem', () => {
		expect(JSON.stringify(readBaseUrl('https://ana:hunter2@desk.example.com'))).not.toContain(
			'hunter2',
		);
		expect(JSON.stringify(readBaseUrl('https://desk.example.com?k=hunter2'))).not.toContain(
			'hunter2',
		);
	});
});
