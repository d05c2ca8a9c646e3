import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

const data = join(import.meta.dirname, 'data');
const sheets = ['crm-contacts-export.csv', 'campaign.xlsx'];

/** Copies the sheets of the examples into a folder. */
export async function copySheets(folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const sheet of sheets) await copyFile(join(data, sheet), join(folder, sheet));
}
