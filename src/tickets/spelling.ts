import type { CallError } from '../core/client';
import { issueText } from '../core/explain';

/** How sort and select are written; the interface shows two ways and leaves open which one the service accepts. */
export interface Spelling {
	readonly sort: 'field' | 'column';
	readonly select: 'object' | 'list';
}

/** As the formal schema writes them. */
export const formal: Spelling = { sort: 'field', select: 'object' };

/** As the narrative writes them. */
export const narrative: Spelling = { sort: 'column', select: 'list' };

/** The spelling with what a refusal points at written the other way, or undefined where it points at neither. */
export function otherSpelling(spelling: Spelling, failure: CallError): Spelling | undefined {
	if (failure.kind !== 'api' || failure.status !== 400) return undefined;
	const named = [...failure.issues.map(issueText), failure.message].join(' ');
	const sort = /\bsort\b/i.test(named);
	const select = /\bselect\b/i.test(named);
	if (!sort && !select) return undefined;
	return {
		sort: sort ? (spelling.sort === 'field' ? 'column' : 'field') : spelling.sort,
		select: select ? (spelling.select === 'object' ? 'list' : 'object') : spelling.select,
	};
}
