import { verdict } from './check.mts';
import type { Finding } from './check.mts';

interface Scanned {
	passed: boolean;
	message?: string;
	details?: string;
}

interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage: (folder: string, patterns?: string[]) => Promise<Scanned>;
}

// Its types are not published, and its command exits with 0 whatever it finds.
const name = '@n8n/scan-community-package/scanner/scanner.mjs';
const scanner = (await import(name)) as Scanner;

/** What n8n's scan reads of the source of a package. */
export const sourceFiles = scanner.SOURCE_FILE_PATTERNS;

/** Runs n8n's verification scan over a folder, offline. */
export async function scan(folder: string, patterns?: string[]): Promise<Finding> {
	const { passed, message = '', details = '' } = await scanner.analyzePackage(folder, patterns);
	const empty = message.startsWith('No files');
	return verdict(passed && !empty ? undefined : `${message}\n${details}`);
}
