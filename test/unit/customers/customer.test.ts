import {
	customerFields,
	customerSchema,
	filledFields,
	readFields,
} from '../../../src/customers/customer';
import { listed } from '../../support/listed';
import { uuidOf } from '../../support/samples';

const problemsOf = (value: unknown): Array<[string, string]> =>
	(customerSchema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [
		path.join('.'),
		message,
	]);
const read = (fields: Record<string, unknown>) =>
	customerSchema.parse({ identifier: 'C', ...fields });

describe('a customer', () => {
	it('has the fields of the interface', () => {
		const names =
			'identifier | name | phoneNumber | email | priority | isDoNotDisturbEnabled | metadata | id';
		expect(Object.keys(customerFields)).toEqual(listed(names));
		const required = Object.entries(customerFields).filter(([, field]) => field.required);
		expect(required.map(([name]) => name)).toEqual(['identifier']);
	});

	it('is sent as it was given where nothing needs repair', () => {
		const customer = {
			identifier: 'C-1',
			name: 'Ana Díaz',
			phoneNumber: '+14155550178',
			email: 'ana@example.com',
			metadata: { plan: { tier: 1, tags: ['a', null, true] } },
			priority: 0,
			source: { method: 'api', more: 1 },
			isDoNotDisturbEnabled: false,
			id: uuidOf(1),
		};
		expect(customerSchema.parse(customer)).toEqual(customer);
	});

	it('is repaired where a spreadsheet left its marks', () => {
		expect(
			customerSchema.parse({
				identifier: ' 100006 ',
				name: 42,
				phoneNumber: "'+1 (415) 555-0119",
				email: ' mara@example.com ',
				priority: ' 5 ',
				isDoNotDisturbEnabled: 'Yes',
			}),
		).toEqual({
			identifier: '100006',
			name: '42',
			phoneNumber: '+14155550119',
			email: 'mara@example.com',
			priority: 5,
			isDoNotDisturbEnabled: true,
		});
	});

	it('leaves blank fields out, each of them', () => {
		// A mark of "N/A" says nothing of someone: sent as a no it would switch off the one that the service has.
		for (const blank of ['', '  ', '\t\n', null, undefined, 'N/A', '-', 'null', '#REF!']) {
			for (const field of Object.keys(customerFields)) {
				if (field === 'identifier' || (field === 'metadata' && (blank === null || blank?.trim())))
					continue;
				expect([field, read({ [field]: blank })]).toEqual([field, { identifier: 'C' }]);
			}
		}
	});

	it('may be called Null', () => {
		expect(read({ name: 'Null', email: 'NULL' })).toEqual({ identifier: 'C', name: 'Null' });
	});

	it('has nothing in its texts that no one sees', () => {
		const id = uuidOf(1);
		const entered = {
			identifier: '\ufeffC-1\u200b',
			name: '\u200b',
			phoneNumber: '\u202a+14155550178\u202c',
			email: '\u200bana@example.com\u200e',
			isDoNotDisturbEnabled: 'yes\u200b',
			id: `\u200b${id}`,
		};
		expect(read(entered)).toStrictEqual({
			identifier: 'C-1',
			phoneNumber: '+14155550178',
			email: 'ana@example.com',
			isDoNotDisturbEnabled: true,
			id,
		});
		expect(problemsOf({ identifier: '\u200b' })).toEqual([
			['identifier', expect.stringContaining('is missing') as string],
		]);
	});

	it('keeps 0, false and null metadata, which are values', () => {
		const fields = { priority: 0, isDoNotDisturbEnabled: false, metadata: null };
		expect(read(fields)).toEqual({ identifier: 'C', ...fields });
	});

	it.each([
		[100001, '100001'],
		[-1, '-1'],
		['  x ', 'x'],
		['ÄÖ 😀', 'ÄÖ 😀'],
	])('takes the identifier %j', (identifier, expected) => {
		expect(customerSchema.parse({ identifier })).toEqual({ identifier: expected });
	});

	it.each([undefined, null, '', '  ', NaN, Infinity, true, [], {}, 0, '0', 'N/A', '#REF!'])(
		'is refused with the identifier %j',
		(identifier) => {
			expect(problemsOf({ identifier })).toEqual([
				['identifier', expect.stringMatching(/^is missing\. Every customer needs an ID/)],
			]);
		},
	);

	it.each(['high', '1.5', 1.5, '12x', 'x12', true, '1e3', [5], -1, '-1'])(
		'is refused with the priority %j',
		(priority) => {
			expect(problemsOf({ identifier: 'C', priority })).toEqual([
				['priority', expect.stringMatching(/^'.+' is not a whole number, 0 or more/)],
			]);
		},
	);

	it.each([
		...['crm-undefined', 'crm-null', 'crm-[object Object]', '{{ $json.id }}'].map((identifier) => ({
			identifier,
		})),
		...['Ana undefined', 'Hi {{ $json.name }}'].map((name) => ({ identifier: 'C', name })),
	])('is refused with what an expression left: %j', (customer) => {
		expect(problemsOf(customer)).toEqual([
			[Object.keys(customer).at(-1), expect.stringContaining('expression that gave nothing')],
		]);
	});

	it.each(["O'1", 'crm-nullable'])('keeps the identifier %s', (identifier) => {
		expect(customerSchema.parse({ identifier })).toMatchObject({ identifier });
	});

	it.each([2 ** 53, 1.5])(
		'is refused with the identifier %d, which a sheet rounded',
		(identifier) => {
			expect(problemsOf({ identifier })).toEqual([
				['identifier', 'is a number that was rounded or has a fraction. Format the column as text'],
			]);
		},
	);

	const noAddresses = listed(`
		not-an-email | a@b | a b@example.com | @example.com | ana@ | a@example.com, b@c.de
	`);
	it.each([...noAddresses, 'x'.repeat(100)])(
		'is refused with the e-mail address %j, of which the beginning is shown',
		(email) => {
			const shown = email.slice(0, 60);
			expect(problemsOf({ identifier: 'C', email })).toEqual([
				['email', `"${shown}" is not an e-mail address. Correct it or leave it empty`],
			]);
		},
	);

	it.each([
		['{"a": {"b": [1]}}', { a: { b: [1] } }],
		[' {"a":1}', { a: 1 }],
		['{}', {}],
		['plain text', 'plain text'],
		['{not json', '{not json'],
		['{"a":1,"a":2}', '{"a":1,"a":2}'],
		['{"n":12345678901234567890}', '{"n":12345678901234567890}'],
		['a {"b": 1}', 'a {"b": 1}'],
		['[1]', '[1]'],
		['[{"a":1}]', '[{"a":1}]'],
		['5', '5'],
		[5, 5],
		[true, true],
		[{ a: null }, { a: null }],
	])('reads the metadata %j', (metadata, expected) => {
		expect(read({ metadata }).metadata).toEqual(expected);
	});

	it.each([[[1, 2]], [['{"a":1}']], [NaN]])('is refused with the metadata %j', (metadata) => {
		expect(problemsOf({ identifier: 'C', metadata })).toEqual([
			['metadata', 'must be an object, text, a number, true or false'],
		]);
	});

	it('is refused with metadata that JSON cannot hold, and says why', () => {
		let deep: object = {};
		for (let level = 0; level < 100_000; level++) deep = { deep };
		expect(problemsOf({ identifier: 'C', metadata: deep })).toEqual([
			[
				'metadata',
				'contains a value that JSON cannot represent (NaN, Infinity, or too many levels). Leave it out',
			],
		]);
	});

	it('is refused with fields that the interface does not have', () => {
		expect(problemsOf({ identifier: 'C', phone: '1', Email: 'x' })).toEqual([
			[
				'',
				expect.stringContaining(
					"has no field 'phone', 'Email'. Remove or rename it. The fields are identifier,",
				),
			],
		]);
		const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}`.padEnd(500), 1]));
		expect(String(problemsOf({ identifier: 'C', ...many })[0]?.[1])).toMatch(
			/^has no field .{700,860} and 488 more\. Remove/,
		);
		expect(customerSchema.safeParse(JSON.parse('{"identifier":"C","__proto__":{}}')).success).toBe(
			false,
		);
	});

	it.each([null, undefined, 'C-1', ' ', 5, [], [{ identifier: 'C' }]])('is not %j', (value) => {
		expect(problemsOf(value)).toEqual([['', expect.stringContaining('must be an object')]]);
	});

	it('names all its problems at once', () => {
		const paths = problemsOf({ email: 'x', priority: 'high', id: 'x', phoneNumber: 'x' }).map(
			([path]) => path,
		);
		expect(paths.sort()).toEqual(['email', 'id', 'identifier', 'phoneNumber', 'priority']);
	});
});

it('of a row is read by the schema of its fields, whatever else the row has', () => {
	const row = { identifier: 7, email: 'N/A', name: '0', priority: 0, plan: 'gold', source: 1 };
	expect(readFields(filledFields(row))).toEqual({
		customer: { identifier: '7', priority: 0 },
		problems: [],
	});
	expect(filledFields({ name: 'Null', email: 'Null' })).toEqual({ name: 'Null' });
	expect(readFields({ ...row, email: undefined, priority: 'high' })).toMatchObject({
		customer: { identifier: '7', name: '0' },
		problems: [{ path: ['priority'] }],
	});
});
