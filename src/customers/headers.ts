import type { customerFields } from './customer';

type Field = keyof typeof customerFields;

/** Column names of CRMs and spreadsheets for each field, in small letters and without spaces or signs. */
const headers: Readonly<Record<Field, readonly string[]>> = {
	identifier: [
		...['identifier', 'recordid', 'customerid', 'contactid', 'externalid', 'externalidentifier'],
		...['customernumber', 'clientid', 'leadid', 'crmid'],
	],
	name: ['name', 'fullname', 'customername', 'contactname', 'displayname'],
	phoneNumber: [
		...['phonenumber', 'phone', 'mobilephonenumber', 'mobilephone', 'mobilenumber', 'mobile'],
		...['telephone', 'telephonenumber', 'cellphone', 'cell', 'tel'],
	],
	email: ['email', 'emailaddress', 'mail', 'mailaddress'],
	priority: ['priority', 'callingpriority', 'callpriority'],
	isDoNotDisturbEnabled: ['isdonotdisturbenabled', 'donotdisturb', 'donotcall', 'dnd', 'dnc'],
	metadata: ['metadata'],
	id: ['id'],
};

const FIRST = ['firstname', 'givenname', 'forename'];
const LAST = ['lastname', 'surname', 'familyname'];

/** The columns of a row as fields of a customer, and the columns that are none. */
export interface FromColumns {
	readonly fields: Readonly<Record<string, unknown>>;
	readonly remaining: () => Readonly<Record<string, unknown>>;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The columns of a table that may hold a field, the best first. */
interface Plan {
	readonly columns: readonly string[];
	readonly fields: ReadonlyArray<readonly [field: string, candidates: readonly string[]]>;
	readonly first: readonly string[];
	readonly last: readonly string[];
}

function planOf(columns: readonly string[]): Plan {
	const names = new Map(columns.map((name) => [plain(name), name] as const).reverse());
	const named = (known: readonly string[]): string[] =>
		known.map((name) => names.get(name)).filter((name) => name !== undefined);
	const fields = Object.entries(headers)
		.map(([field, known]) => [field, named(known)] as const)
		.filter(([, candidates]) => candidates.length > 0);
	return { columns, fields, first: named(FIRST), last: named(LAST) };
}

/** Rows of a table have the same columns, so that the plan of the row before mostly fits. */
let latest = planOf([]);

function planFor(row: object): Plan {
	const columns = Object.keys(row);
	const fits =
		columns.length === latest.columns.length &&
		columns.every((name, i) => name === latest.columns[i]);
	if (!fits) latest = planOf(columns);
	return latest;
}

/** Recognises the usual column names; of several for one field the first name of its list that holds a value counts. */
export function fromColumns(row: Readonly<Record<string, unknown>>): FromColumns {
	const plan = planFor(row);
	const fields: Record<string, unknown> = {};
	for (const [field, candidates] of plan.fields) {
		const name = best(candidates, row);
		if (name !== undefined) fields[field] = row[name];
	}
	if (fields['name'] === undefined) {
		const parts = [best(plan.first, row), best(plan.last, row)].filter(
			(part) => part !== undefined,
		);
		if (parts.length > 0) fields['name'] = parts.map((part) => row[part]).join(' ');
	}
	const remaining = () => {
		const known = [...plan.fields.map(([, candidates]) => candidates), plan.first, plan.last];
		const used = known.map((candidates) => best(candidates, row));
		const left = plan.columns.filter((name) => !used.includes(name) && !isBlank(row[name]));
		return Object.fromEntries(left.map((name) => [name, row[name]]));
	};
	return { fields, remaining };
}

/** The first column that holds a value. */
function best(
	candidates: readonly string[],
	row: Readonly<Record<string, unknown>>,
): string | undefined {
	for (const name of candidates) if (!isBlank(row[name])) return name;
	return undefined;
}

const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
