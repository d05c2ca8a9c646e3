import { spawnSync } from 'node:child_process';

/** Makes a throwaway key and certificate for this machine; undefined where openssl is missing. */
export function selfSigned(): { key: string; cert: string } | undefined {
	const made = spawnSync(
		'openssl',
		'req -x509 -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -days 1 -keyout - -out -'.split(' '),
		{ encoding: 'utf8' },
	);
	const [key] = /-----BEGIN PRIVATE[^]+?-----END PRIVATE KEY-----/.exec(made.stdout ?? '') ?? [];
	const [cert] = /-----BEGIN CERT[^]+?-----END CERTIFICATE-----/.exec(made.stdout ?? '') ?? [];
	return key !== undefined && cert !== undefined ? { key, cert } : undefined;
}
