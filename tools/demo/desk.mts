import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureHost } from '../host/install.mts';
import { startN8n } from '../host/n8n.mts';
import type { N8n } from '../host/n8n.mts';
import { installPackage, packPackage } from '../host/pack.mts';
import type { Tarball } from '../host/pack.mts';
import type { CredentialRef } from '../host/workflow.mts';
import { leaveNothing } from './leaveNothing.mts';
import { copySheets } from './sheets.mts';
import type { Target } from './target.mts';

/** A real n8n with our package in it, a service to talk to, and a folder with the sheets of the examples. */
export interface Desk {
	n8n: N8n;
	target: Target;
	/** What was installed; the tarball itself is gone. */
	tarball: Tarball;
	/** Where the package lies in n8n. */
	installed: string;
	/** The n8n user folder; gone after `stop`. */
	userFolder: string;
	/** The one folder that n8n's file nodes may use. */
	files: string;
	credential: CredentialRef;
	stop: () => Promise<void>;
}

/** The name and type of our credential in n8n. */
export const credentialType = { name: 'Conversation Desk', type: 'conversationDeskApi' };

type Report = (line: string) => void;

/** The n8n to start, and more environment variables for it. */
interface HostChoice {
	version?: string | undefined;
	env?: Record<string, string>;
}

/** Starts all of it in a new folder outside of the checkout, with the package as it is built now. The target ends with it. */
export async function startDesk(
	target: Target,
	report: Report = () => {},
	{ version, env = {} }: HostChoice = {},
): Promise<Desk> {
	const userFolder = await mkdtemp(join(tmpdir(), 'conversation-desk-n8n-'));
	const watch = leaveNothing(userFolder);
	const ends: Array<() => Promise<void>> = [target.close];
	const stop = async () => {
		await Promise.all(ends.map((end) => end()));
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
		watch.done();
	};
	try {
		const { tarball, files, installed } = await prepare(userFolder, report, version);
		const n8n = await startN8n({ userFolder, files, report, version, env });
		watch.also(n8n.pid);
		ends.push(n8n.stop);
		await n8n.rest.signIn();
		const credential = await n8n.rest.createCredential({ ...credentialType, data: target.access });
		return { n8n, target, tarball, installed, userFolder, files, credential, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function prepare(userFolder: string, report: Report, version: string | undefined) {
	const files = join(userFolder, 'files');
	const [tarball] = await Promise.all([
		packPackage({ report }),
		copySheets(files),
		ensureHost(report, version),
	]);
	const installed = await installPackage(tarball.tarball, userFolder);
	await rm(dirname(tarball.tarball), { recursive: true, force: true });
	report(`Installed ${tarball.files.length} files (${kilobytes(tarball.bytes)}) into it.`);
	return { tarball, files, installed };
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`;
