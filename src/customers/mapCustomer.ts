import type { Problem } from '../core/failures';
import { isRecord } from '../core/json';
import type { CountryCode } from '../core/phoneNumber';
import type { Result } from '../core/result';
import type { Columns } from './columnPlan';
import type { Customer } from './customer';
import { readFields } from './customer';
import type { MappingSummary } from './describeMapping';
import { createMappingSummary, formatColumns } from './describeMapping';
import type { ColumnMapper, FromColumns } from './mapColumns';
import { createColumnMapper } from './mapColumns';

/** How the columns of a row become a customer. */
export interface Mapping {
	readonly customerMapping: string;
	readonly defaultCountry: CountryCode | undefined;
	readonly remainingColumns: 'ignore' | 'metadata';
	/** Whether the run has to say what its columns became. */
	readonly dryRun?: boolean;
}

/** Reads the customer of a row, whose columns are mapped where that is wanted. */
export function readMapped(
	entered: unknown,
	mapping: Mapping,
): { readonly read: Result<Customer, readonly Problem[]>; readonly fields: Columns } {
	if (!isRecord(entered)) return { read: readFields(entered), fields: {} };
	const row: Columns = entered;
	if (mapping.customerMapping !== 'autoMapInputData')
		return { read: readFields(row, mapping.defaultCountry), fields: row };
	const { map, summary } = stateOf(mapping);
	const mapped = map(row);
	if (mapping.dryRun) summary.add(mapped);
	const fields = withRemaining(mapped, mapping);
	const read = readFields(fields, mapping.defaultCountry);
	return { read: mapped.knowsIdentifier ? read : namingColumns(read, row), fields };
}

/** What the columns of a dry run became, in words; undefined where they are not mapped automatically. */
export const describeMappingOf = (mapping: Mapping): string | undefined =>
	states.get(mapping)?.summary.describe();

/** Keyed by the settings, which each run has for itself, so runs at the same time share nothing. */
const states = new WeakMap<Mapping, RunState>();

interface RunState {
	readonly map: ColumnMapper;
	readonly summary: MappingSummary;
}

function stateOf(mapping: Mapping): RunState {
	const known = states.get(mapping);
	if (known) return known;
	const state = { map: createColumnMapper(), summary: createMappingSummary() };
	states.set(mapping, state);
	return state;
}

function withRemaining({ fields, remaining }: FromColumns, { remainingColumns }: Mapping): Columns {
	if (remainingColumns !== 'metadata' || fields['metadata'] !== undefined) return fields;
	const left = remaining();
	return Object.keys(left).length > 0 ? { ...fields, metadata: left } : fields;
}

type Read = Result<Customer, readonly Problem[]>;

/** Says which columns there are where none of them could be the identifier. */
function namingColumns(read: Read, row: Columns): Read {
	if (read.ok) return read;
	const names = Object.keys(row).map((name) => [name]);
	const found = names.length > 0 ? `. Columns found: ${formatColumns(names)}` : '';
	const failure = read.failure.map((problem) =>
		problem.path[0] === 'identifier'
			? { ...problem, message: `${problem.message}${found}` }
			: problem,
	);
	return { ...read, failure };
}
