import { describeLostSources } from '../../../../src/customers/unchanged/lostSources';

const now = {
	fields: { identifier: ['ID'], phoneNumber: ['Mobile'] },
	columns: new Set(['ID', 'Mobile', 'Key']),
};

it.each<[string, Record<string, string[]>, string[], string | undefined]>([
	['nothing has changed', { identifier: ['ID'], phoneNumber: ['Mobile'] }, [], undefined],
	['there was no run before', {}, [], undefined],
	[
		'a column is gone',
		{ identifier: ['ID'], phoneNumber: ['Phone'] },
		[],
		"Phone Number ('Phone')",
	],
	[
		'a column that made a field is gone, and none takes its place',
		{ email: ['Email'] },
		[],
		"Email ('Email')",
	],
	['the identifier has another column', { identifier: ['Key'] }, [], "Identifier ('Key')"],
	[
		'another column is used, though the old one exists',
		{ phoneNumber: ['Key'] },
		[],
		"Phone Number ('Key')",
	],
	['the old column is empty, and none takes its place', { email: ['Key'] }, [], undefined],
	[
		'the user chose the column',
		{ identifier: ['Key'], phoneNumber: ['Phone'] },
		['identifier', 'phoneNumber'],
		undefined,
	],
])('says whether a sync would change where fields come from: %s', (_, before, chosen, expected) => {
	const lost = describeLostSources(
		before,
		now,
		chosen.map((field) => ({ field })),
	);
	if (expected === undefined) expect(lost).toBeUndefined();
	else expect(lost).toContain(expected);
});
