import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A key and its certificate, in PEM. */
export interface Identity {
	key: string;
	cert: string;
}

/** Makes a key and a certificate for host names, and for this machine by its address; they count for a day. */
export async function makeIdentity(...hosts: string[]): Promise<Identity> {
	const notBeforeDate = new Date();
	const { private: key, cert } = await generate([{ name: 'commonName', value: hosts[0] ?? '' }], {
		algorithm: 'sha256',
		notBeforeDate,
		notAfterDate: new Date(notBeforeDate.getTime() + 86_400_000),
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{
				name: 'subjectAltName',
				altNames: [
					...hosts.map((value) => ({ type: 2 as const, value })),
					{ type: 7, ip: '127.0.0.1' },
				],
			},
		],
	});
	return { key, cert };
}

/** An identity in files, for programs that read it from there. */
export interface Certificate extends Identity {
	keyFile: string;
	certFile: string;
	remove: () => void;
}

/** Writes an identity into files of a new folder, for this machine unless there are other host names. */
export async function makeCertificate(...hosts: string[]): Promise<Certificate> {
	const { key, cert } = await makeIdentity(...(hosts.length > 0 ? hosts : ['localhost']));
	const folder = mkdtempSync(join(tmpdir(), 'conversation-desk-tls-'));
	const keyFile = join(folder, 'key.pem');
	const certFile = join(folder, 'cert.pem');
	writeFileSync(keyFile, key, { mode: 0o600 });
	writeFileSync(certFile, cert);
	const remove = () => rmSync(folder, { recursive: true, force: true });
	return { key, cert, keyFile, certFile, remove };
}
