import type { SettledByHand } from '../../bulk/settleByHand';
import type { PhoneSettings } from '../../core/phoneNumber';
import { readPhoneNumber } from '../../core/phoneNumber';
import { textOf, visible } from '../../core/text';
import { splitList } from '../safeguards';

interface Named {
	readonly unknownCalled?: unknown;
	readonly unknownNotCalled?: unknown;
}

/** Reads the people the user settles: phone numbers or person IDs; undefined where the options are not there. */
export function settledPeople(named: Named, settings: PhoneSettings): SettledByHand | undefined {
	if (named.unknownCalled === undefined && named.unknownNotCalled === undefined) return undefined;
	return {
		contacted: namesIn(named.unknownCalled, settings),
		notContacted: namesIn(named.unknownNotCalled, settings),
	};
}

function namesIn(entered: unknown, settings: PhoneSettings): ReadonlySet<string> {
	const list = splitList(entered ?? [], /[,;\n\r]+/);
	const parts: readonly unknown[] = Array.isArray(list) ? list : [list];
	const names = parts.map((part) => {
		const read = readPhoneNumber(part, settings);
		return 'number' in read ? read.number : visible(textOf(part ?? ''));
	});
	return new Set(names.filter((name) => name !== ''));
}

/** What is wrong with these lists: one that is empty, or someone in both. */
export function settledProblems(settled: SettledByHand | undefined, named: Named) {
	if (!settled) return [];
	const { contacted, notContacted } = settled;
	const both = [...contacted].filter((name) => notContacted.has(name));
	const found = [
		...(both.length > 0
			? [
					{
						path: 'unknownCalled',
						message: `contains ${both.slice(0, 5).join(', ')}, as Unknown and Not Called does. Remove it from one of them`,
					},
				]
			: []),
		...(contacted.size + notContacted.size === 0
			? [
					{
						path: named.unknownCalled === undefined ? 'unknownNotCalled' : 'unknownCalled',
						message: 'is empty. Enter the numbers to settle, or remove it to send again',
					},
				]
			: []),
	];
	return found.map(({ path, message }) => ({
		code: 'custom' as const,
		path: ['safeguards', path],
		message,
	}));
}
