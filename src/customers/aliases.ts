/** Alternative column names of a field (docs/customers.md). */
export const aliases = {
	identifier: ['id', 'customer id', 'customer number', 'contact id', 'record id', 'external id'],
	name: ['full name', 'customer name', 'contact name'],
	phoneNumber: ['phone', 'telephone', 'mobile', 'mobile phone', 'cell phone'],
	email: ['email address'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The fields that automatic mapping finds by the names of columns. */
export type AutomaticField = keyof typeof aliases;

/** The columns that make a name together, or one of them alone. */
export const NAME_PARTS = ['first name', 'last name'];

/** Converts a column name for comparison: no upper case, blanks, dashes or underscores, e.g. "Full_Name" to "fullname". */
export const comparableName = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');
