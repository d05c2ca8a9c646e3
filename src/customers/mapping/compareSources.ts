import type { Sources } from '../../bulk/plan';
import { customerFields } from '../customer';

const ACCEPT = "If that is right, turn off 'Skip Unchanged Customers' for one run";

/**
 * Says what has changed for the worse since the last run: a field has no column any more, or the identifier comes from another one,
 * so customers would be sent without it or once more under another ID. Undefined where nothing has.
 */
export function compareSources(
	before: Sources | undefined,
	now: Sources | undefined,
): string | undefined {
	if (!before || !now) return undefined;
	const [from, to] = [before['identifier']?.[0], now['identifier']?.[0]];
	if (from !== undefined && to !== undefined && from !== to)
		return `Not sent, because Identifier was read from '${from}' until now and would be read from '${to}'. Each customer would be created again. Set Identifier Column to '${from}'. ${ACCEPT}`;
	const lost = Object.entries(customerFields).filter(
		([field]) => (before[field]?.length ?? 0) > 0 && (now[field]?.length ?? 0) === 0,
	);
	if (lost.length === 0) return undefined;
	const named = lost.map(([field, { label }]) => `${label} ('${before[field]?.join("', '")}')`);
	return `Not sent, because the rows have no column any more for ${named.join(', ')}. Check whether it was renamed. ${ACCEPT}`;
}
