import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { owner } from '../../tools/host/session.mts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const quietFlags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-proxy-server',
	'--disable-sync',
];

/** Starts the Chromium of CHROMIUM_PATH or the usual places; undefined if there is none. */
export async function openBrowser(
	report: (line: string) => void = console.error,
): Promise<Browser | undefined> {
	const named = process.env['CHROMIUM_PATH'];
	const paths = named ? [named] : places;
	const executablePath = paths.find((path) => existsSync(path));
	if (executablePath) return await chromium.launch({ executablePath, args: quietFlags });
	report(`No Chromium found (${paths.join(', ')}): skipped. Install it or set CHROMIUM_PATH.`);
	return undefined;
}

/** Signs the owner in through n8n's form; `N8nRest.signIn` has created the owner. */
export async function loginToEditor(page: Page, n8n: { url: string }): Promise<void> {
	await page.goto(`${n8n.url}/signin`);
	await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
	await page.locator('input[name="password"]').fill(owner.password);
	await page.locator('[data-test-id="form-submit-button"]').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
}

/** Opens a stored workflow in the editor and waits until its nodes are drawn. */
export async function openWorkflow(page: Page, n8n: { url: string }, id: string): Promise<void> {
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page.locator('[data-test-id="canvas-node"]').first().waitFor();
}

/** Opens another workflow without loading the editor again, and waits until these nodes are drawn. */
export async function openNext(page: Page, id: string, nodes: readonly string[]): Promise<void> {
	const goTo = `history.pushState(null, '', '/workflow/${id}'); dispatchEvent(new PopStateEvent('popstate'))`;
	await page.evaluate(goTo);
	const drawn = `[...document.querySelectorAll('[data-test-id="canvas-node"]')].map((node) => node.dataset.nodeName)`;
	await page.waitForFunction(`(() => {
		const drawn = new Set(${drawn});
		const nodes = ${JSON.stringify(nodes)};
		return drawn.size === nodes.length && nodes.every((name) => drawn.has(name));
	})()`);
}
