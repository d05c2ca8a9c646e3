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
	readonly remaining: Readonly<Record<string, unknown>>;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Recognises the usual column names; of several for one field the first name of its list that holds a value counts. */
export function fromColumns(row: Readonly<Record<string, unknown>>): FromColumns {
	const names = new Map(
		Object.keys(row)
			.map((name) => [plain(name), name] as const)
			.reverse(),
	);
	const used = new Set<string>();
	const take = (known: readonly string[]): unknown => {
		const found = known.map((name) => names.get(name)).filter((name) => name !== undefined);
		const best = found.find((name) => !isBlank(row[name])) ?? found[0];
		if (best === undefined) return undefined;
		used.add(best);
		return row[best];
	};
	const fields: Record<string, unknown> = {};
	for (const [field, known] of Object.entries(headers)) {
		const value = take(known);
		if (!isBlank(value)) fields[field] = value;
	}
	const parts = [take(FIRST), take(LAST)].filter((part) => !isBlank(part));
	if (fields['name'] === undefined && parts.length > 0) fields['name'] = parts.join(' ');
	const remaining = Object.fromEntries(
		Object.entries(row).filter(([name, value]) => !used.has(name) && !isBlank(value)),
	);
	return { fields, remaining };
}

const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
