import { makeIdentity } from '../../tools/certificate.mts';
import type { Identity } from '../../tools/certificate.mts';

/** The service, whom n8n trusts, and a stranger. */
export interface Identities {
	trusted: Identity;
	stranger: Identity;
}

const VARIABLE = 'MATRIX_IDENTITIES';

/** Makes the identities of a run before n8n is loaded, because that decides then whom it trusts. */
export default async function makeIdentities(): Promise<void> {
	const [trusted, stranger] = await Promise.all([
		makeIdentity('localhost'),
		makeIdentity('localhost'),
	]);
	process.env[VARIABLE] = JSON.stringify({ trusted, stranger } satisfies Identities);
}

/** The identities of this run. */
export const identities = (): Identities => JSON.parse(process.env[VARIABLE] ?? '{}') as Identities;
