import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A throwaway key and certificate for this machine, in files. */
export interface Certificate {
	keyFile: string;
	certFile: string;
	cert: string;
	remove: () => void;
}

/** Makes a certificate for this machine, and for the host that it stands in for, with openssl; undefined where that is missing. */
export function makeCertificate(host?: string): Certificate | undefined {
	const folder = mkdtempSync(join(tmpdir(), 'conversation-desk-tls-'));
	const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
	const remove = () => rmSync(folder, { recursive: true, force: true });
	const kind = 'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1'.split(' ');
	const names = ['IP:127.0.0.1', ...(host === undefined ? [] : [`DNS:${host}`])];
	const forThisMachine = ['-addext', `subjectAltName=${names.join()}`];
	const files = ['-keyout', keyFile, '-out', certFile];
	const made = spawnSync('openssl', [...kind, ...forThisMachine, ...files]);
	if (made.status === 0) return { keyFile, certFile, cert: readFileSync(certFile, 'utf8'), remove };
	remove();
	return undefined;
}
