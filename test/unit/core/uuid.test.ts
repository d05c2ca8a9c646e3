import { UUID, uuid } from '../../../src/core/schemas';

const NIL = '00000000-0000-0000-0000-000000000000';
const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

describe('a UUID', () => {
	it('has version 1-8 and variant 8, 9, a or b, or is all zeros or all f', () => {
		for (const version of '0123456789abcdef') {
			for (const variant of '0123456789abcdef') {
				const text = `0b6a6b7e-3c1f-${version}d2a-${variant}f60-5a7d1c2e3f40`;
				expect([text, UUID.test(text)]).toEqual([
					text,
					'12345678'.includes(version) && '89ab'.includes(variant),
				]);
			}
		}
		expect([NIL, MAX, MAX.toUpperCase()].map((text) => UUID.test(text))).toEqual([
			true,
			true,
			true,
		]);
	});

	it.each([
		'0b6a6b7e3c1f4d2a9f605a7d1c2e3f40',
		'{0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40}',
		'0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40\n',
		'x0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
		'0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f4g',
		`${NIL}0`,
	])('is not %j', (text) => {
		expect(UUID.test(text)).toBe(false);
	});

	it('is read without the space around it', () => {
		expect(uuid.parse(`  ${NIL}\n`)).toBe(NIL);
	});

	it.each([
		['', 'is empty'],
		[' ', 'is empty'],
		['x', "'x' is not a UUID"],
		['x'.repeat(1000), `'${'x'.repeat(60)}' is not a UUID`],
		[5, 'must be a UUID'],
		[null, 'is empty. Enter a UUID'],
		[undefined, 'is empty. Enter a UUID'],
		[[NIL], 'must be a UUID'],
	])('says what is wrong with %j', (value, message) => {
		const issues = uuid.safeParse(value).error?.issues ?? [];
		expect(issues.map((issue) => issue.message)).toEqual([
			expect.stringMatching(new RegExp(`^${message}`)),
		]);
	});
});
