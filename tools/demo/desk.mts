import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHost } from '../host/install.mts';
import { startN8n } from '../host/n8n.mts';
import type { N8n } from '../host/n8n.mts';
import { installPackage, packPackage } from '../host/pack.mts';
import { N8nRest } from '../host/rest.mts';
import type { CredentialRef } from '../host/workflow.mts';
import { copySheets } from './examples.mts';
import type { Target } from './target.mts';

/** A real n8n with our package, the sandbox, and a folder with the sheets of the examples. */
export interface Desk {
	n8n: N8n;
	target: Target;
	/** The folder of the package in n8n. */
	installed: string;
	/** The user folder of n8n, which `stop` removes. */
	userFolder: string;
	/** The one folder that n8n's file nodes may use. */
	files: string;
	credential: CredentialRef;
	stop: () => Promise<void>;
}

/** The name and type of our credential in n8n. */
export const credentialType = { name: 'Conversation Desk', type: 'conversationDeskApi' };

/** The n8n to start, and more environment variables for it. */
interface HostChoice {
	version?: string | undefined;
	env?: Record<string, string>;
}

/** Starts n8n in a new folder with the package as it is built now; the target ends with it. */
export async function startDesk(
	target: Target,
	report: (line: string) => void = () => {},
	{ version, env = {} }: HostChoice = {},
): Promise<Desk> {
	const userFolder = await mkdtemp(join(tmpdir(), 'conversation-desk-n8n-'));
	const files = join(userFolder, 'files');
	const ends = [target.close];
	const stop = async () => {
		await Promise.all(ends.map((end) => end()));
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
	};
	try {
		const [tarball] = await Promise.all([
			packPackage({ report }),
			copySheets(files),
			ensureHost(report, version),
		]);
		const installed = await installPackage(tarball.tarball, userFolder);
		const kilobytes = Math.ceil(tarball.bytes / 1000);
		report(`Installed ${tarball.files.length} files (${kilobytes} kB) into it.`);
		const n8n = await startN8n({ userFolder, files, report, version, env });
		ends.push(n8n.stop);
		await n8n.rest.signIn();
		const credential = await n8n.rest.createCredential({ ...credentialType, data: target.access });
		return { n8n, target, installed, userFolder, files, credential, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Uses an n8n that already runs, with our package in it. `stop` removes all that was made there. */
export async function joinDesk(target: Target, url: string): Promise<Desk> {
	const n8nRest = new N8nRest(url);
	await n8nRest.signIn();
	const credential = await n8nRest.createCredential({ ...credentialType, data: target.access });
	const stop = async () => {
		await n8nRest.removeCreated();
		await target.close();
	};
	const rejectPower = (): never => {
		throw new Error('The tests have no power over an n8n that they did not start.');
	};
	const n8n: N8n = {
		url,
		rest: n8nRest,
		pid: 0,
		logFile: '',
		log: rejectPower,
		stop: rejectPower,
		kill: rejectPower,
	};
	return { n8n, target, installed: '', userFolder: '', files: '', credential, stop };
}
