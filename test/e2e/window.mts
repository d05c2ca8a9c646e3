import { mkdir } from 'node:fs/promises';
import { after } from 'node:test';
import type { Page } from 'playwright-core';
import { loginToEditor, openBrowser } from '../../tools/host/browser.mts';
import { results } from '../../tools/checks/testRuns.mts';
import { desk } from './desk.mts';

// Older editors look different; what works in them is tried without a browser.
const other = process.env['CONVERSATION_DESK_N8N'];
const browser = other ? undefined : await openBrowser(console.error);
after(() => browser?.close());

/** Why there is no editor to look at, if there is none. */
export const skip = browser
	? false
	: `there is no browser, or another n8n than the default (${other})`;

/** A window of this size with n8n's editor, in which somebody is signed in; pictures of it can be kept. */
export async function openWindow(width: number, height: number): Promise<Page> {
	if (!browser) throw new Error('There is no browser');
	await mkdir(results, { recursive: true });
	const page = await browser.newPage({ viewport: { width, height } });
	page.setDefaultTimeout(30_000);
	await loginToEditor(page, desk.n8n);
	return page;
}
