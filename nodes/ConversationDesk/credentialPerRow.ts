import type { IExecuteFunctions } from 'n8n-workflow';
import type { InputError } from '../../src/core/failures';
import { CREDENTIAL } from './transport';

/** Max rows for which a credential is read one by one. */
const MAX_ROWS = 2_000;

/**
 * Refuses a credential whose expressions give different values for different rows: n8n reads it for the first row only, and
 * everything would go to the workspace of that row.
 */
export async function credentialPerRow(
	context: Pick<IExecuteFunctions, 'getCredentials'>,
	count: number,
): Promise<InputError | undefined> {
	if (count < 2) return undefined;
	const valueAt = async (item: number) => JSON.stringify(await read(context, item));
	const first = await valueAt(0);
	// There is no such row, so only what depends on the row is different.
	if (first === (await valueAt(count))) return undefined;
	if (count > MAX_ROWS) return refused('depends on the row');
	for (let item = 1; item < count; item += 1)
		if (first !== (await valueAt(item))) return refused(`is different in row ${item + 1}`);
	return undefined;
}

async function read(
	context: Pick<IExecuteFunctions, 'getCredentials'>,
	item: number,
): Promise<unknown> {
	try {
		return await context.getCredentials(CREDENTIAL, item);
	} catch {
		return undefined;
	}
}

const refused = (what: string): InputError => ({
	kind: 'input',
	problems: [
		{
			path: ['credential'],
			message: `${what}, because a field of it is an expression. Use one credential for all rows, or run the node once for each workspace`,
		},
	],
});
