import type { PhoneSettings } from '../../core/phoneNumber';
import { readPhoneNumber } from '../../core/phoneNumber';
import { textOf, visible } from '../../core/text';
import { splitList } from '../create/safeguards';

/** What the user says about people who may or may not have been called: phone numbers or person IDs. */
export interface SettledByHand {
	readonly called: ReadonlySet<string>;
	readonly notCalled: ReadonlySet<string>;
}

/** The lists as they were entered. */
interface Named {
	readonly called?: unknown;
	readonly notCalled?: unknown;
}

/** Reads the people whom the user settles. */
export const settledPeople = (named: Named, settings: PhoneSettings): SettledByHand => ({
	called: namesIn(named.called, settings),
	notCalled: namesIn(named.notCalled, settings),
});

function namesIn(entered: unknown, settings: PhoneSettings): ReadonlySet<string> {
	const list = splitList(entered ?? [], /[,;\n\r]+/);
	const parts: readonly unknown[] = Array.isArray(list) ? list : [list];
	const names = parts.map((part) => {
		const read = readPhoneNumber(part, settings);
		return 'number' in read ? read.number : visible(textOf(part ?? ''));
	});
	return new Set(names.filter((name) => name !== ''));
}

/** What is wrong with these lists: both are empty, or someone is in both. */
export function settledProblem({ called, notCalled }: SettledByHand): string | undefined {
	if (called.size + notCalled.size === 0)
		return 'is empty. Enter the numbers that were called or not called, or remove it';
	const both = [...called].filter((name) => notCalled.has(name));
	return both.length === 0
		? undefined
		: `contains ${both.slice(0, 5).join(', ')} under both Called and Not Called. Remove it from one of them`;
}
