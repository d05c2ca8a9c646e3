import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { owner } from './session.mts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const quietOnThisMachine = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--no-proxy-server',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** The Chromium of this machine (CHROMIUM_PATH, else the usual places), headless; undefined, with a line that says so, when there is none. */
export async function openBrowser(
	report: (line: string) => void = console.error,
): Promise<Browser | undefined> {
	const named = process.env['CHROMIUM_PATH'];
	const executablePath = named ? named : places.find((place) => existsSync(place));
	if (executablePath && existsSync(executablePath)) {
		return await chromium.launch({ executablePath, args: quietOnThisMachine });
	}
	const looked = named ?? places.join(', ');
	report(`No Chromium found (${looked}): skipped. Install it or set CHROMIUM_PATH.`);
	return undefined;
}

/** Signs the owner in through n8n's sign-in form; the owner must have been set up (see N8nRest.signIn). */
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

/** Opens another workflow in an editor that shows one, without loading the editor again, and waits until all these nodes are drawn. */
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
