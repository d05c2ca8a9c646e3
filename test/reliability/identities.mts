import { makeIdentity } from '../../tools/certificate.mts';
import type { Identity } from '../../tools/certificate.mts';

/** The service, which n8n trusts, and a stranger. */
export interface Identities {
	trusted: Identity;
	stranger: Identity;
}

const VARIABLE = 'MATRIX_IDENTITIES';

/** Creates the identities of a run before n8n is loaded, because n8n then decides which ones it trusts. */
export default async function makeIdentities(): Promise<void> {
	const [trusted, stranger] = await Promise.all([
		makeIdentity('localhost'),
		makeIdentity('localhost'),
	]);
	process.env[VARIABLE] = JSON.stringify({ trusted, stranger } satisfies Identities);
}

/** The identities of this run. */
export const identities = (): Identities => JSON.parse(process.env[VARIABLE] ?? '{}') as Identities;
