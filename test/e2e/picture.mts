import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const root = join(import.meta.dirname, '../..');

/** A part of the window, in pixels. */
export interface Clip {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Hides messages, and the dots of the canvas, which would make up half of the file. */
const style = '.el-notification, .vue-flow__background { display: none }';

/** Keeps a picture of the page or of a part of it. */
export async function keepPicture(page: Page, name: string, clip?: Clip): Promise<void> {
	const path = join(root, 'test-results', `${name}.png`);
	await page.screenshot({ path, animations: 'disabled', style, ...(clip && { clip }) });
	// Only pictures that the documents show are refreshed.
	const shown = join(root, 'docs', 'images', `${name}.png`);
	const refresh = process.env['CONVERSATION_DESK_PICTURES'] && existsSync(shown);
	if (refresh) await copyFile(path, shown);
}
