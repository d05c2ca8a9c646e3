import { mkdir } from 'node:fs/promises';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { loginToEditor, openBrowser } from './browser.mts';
import { results } from '../../tools/checks/check.mts';
import { desk } from './desk.mts';

const other = process.env['CONVERSATION_DESK_N8N'];
const browser = await openBrowser(console.error);
after(() => browser?.close());
// One context for all windows, because a new one would load and compile the whole editor again.
const context = await browser?.newContext();
let hasSession = false;

export const noBrowser = browser ? false : 'there is no browser';
/** Why a test of the editor is skipped. Older editors look different, so most tests are for the default version. */
export const skip = other ? `another n8n than the default (${other})` : noBrowser;

/** A window of this size with n8n's editor, whose user is signed in; pictures of it can be kept. */
export async function openWindow(width: number, height: number): Promise<Page> {
	if (!context) throw new Error('There is no browser');
	await mkdir(results, { recursive: true });
	const page = await context.newPage();
	await page.setViewportSize({ width, height });
	page.setDefaultTimeout(30_000);
	// A busy machine takes long to load the whole editor.
	page.setDefaultNavigationTimeout(90_000);
	if (!hasSession) await loginToEditor(page, desk.n8n);
	hasSession = true;
	return page;
}
