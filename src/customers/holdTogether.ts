import { plural } from '../core/text';
import type { BatchSettings } from './batchSettings';
import { customerFields } from './customer';
import type { RowOf, Shared } from './mapping/samePeople';
import { sharedIdentifiers } from './mapping/samePeople';
import type { CustomerRow, ReadRow } from './readRow';

interface Held {
	readonly plans: ReadonlyArray<CustomerRow>;
	/** What was left out, in words. */
	readonly notes: readonly string[];
}

/** Looks at what rows say of the same customer: a mark of one row holds for all, and an ID of different people is nobody's. */
export function holdTogether(
	rows: readonly ReadRow[],
	settings: Pick<BatchSettings, 'identifierPrefix'> & {
		readonly identifierFrom: string | undefined;
	},
): Held {
	const shared = sharedIdentifiers(peopleOf(rows));
	const marked = new Set(
		rows.flatMap(({ values }) =>
			values.flatMap((value) => (value.isDoNotDisturbEnabled === true ? [value.identifier] : [])),
		),
	);
	const plans = rows.map((row): CustomerRow => {
		const both = row.values.map(({ identifier }) => shared.get(identifier)).find((each) => each);
		if (both) return refused(both, settings.identifierFrom);
		const values = row.values.map((value) => {
			const identifier = `${settings.identifierPrefix}${value.identifier}`;
			return marked.has(value.identifier)
				? { ...value, identifier, isDoNotDisturbEnabled: true }
				: settings.identifierPrefix === ''
					? value
					: { ...value, identifier };
		});
		return { ...row, values };
	});
	return { plans, notes: notesOf(rows) };
}

function* peopleOf(rows: readonly ReadRow[]): Generator<RowOf> {
	for (const [row, { values }] of rows.entries()) for (const value of values) yield [row, value];
}

function refused([first, second]: Shared, column: string | undefined): CustomerRow {
	const [, { identifier }] = first;
	const source = column === undefined ? '' : ` in '${column}'`;
	const message = `'${identifier}'${source} is the ID of different people, e.g. ${who(first)} and ${who(second)}. Choose a column that is unique for each person`;
	return {
		values: [],
		problems: [{ path: ['customer', 'identifier'], message }],
		entered: { identifier },
	};
}

const who = ([row, { name, email, phoneNumber }]: RowOf): string =>
	`${name ?? email ?? phoneNumber ?? 'someone'} (row ${row + 1})`;

function notesOf(rows: readonly ReadRow[]): string[] {
	const reduced = rows.filter(({ isReduced }) => isReduced === true).length;
	const fields = Object.entries(customerFields).flatMap(([field, { label }]) => {
		const count = rows.filter(({ leftOut }) => leftOut?.includes(field)).length;
		return count > 0 ? [`${plural(count, 'customer')} without ${label}`] : [];
	});
	return [
		...(reduced > 0
			? [
					`${plural(reduced, 'row')} marked Do Not Disturb: only the mark is sent, because other cells are invalid`,
				]
			: []),
		...(fields.length > 0 ? [`Sent without invalid cells: ${fields.join(', ')}`] : []),
	];
}
