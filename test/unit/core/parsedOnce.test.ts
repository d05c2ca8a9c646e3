import { z } from 'zod/v4';
import { parsedOnce } from '../../../src/core/parsedOnce';

describe('a value that rows share', () => {
	const counted = () => {
		let parsings = 0;
		const inner = z.looseObject({
			size: z.number({ error: 'must be a number' }).transform((size) => {
				parsings += 1;
				return size * 2;
			}),
		});
		return { schema: parsedOnce(inner), parsings: () => parsings };
	};

	it('is parsed once, however many rows hold it', () => {
		const { schema, parsings } = counted();
		const options = { size: 2 };
		expect([schema.parse(options), schema.parse(options)]).toEqual([{ size: 4 }, { size: 4 }]);
		expect(parsings()).toBe(1);
	});

	it('is told apart from an equal value of its own', () => {
		const { schema, parsings } = counted();
		schema.parse({ size: 2 });
		schema.parse({ size: 2 });
		expect(parsings()).toBe(2);
	});

	it.each(['text', 5, true, null, undefined])('may be %j, which is no object', (value) => {
		const schema = parsedOnce(z.unknown());
		expect([schema.parse(value), schema.parse(value)]).toEqual([value, value]);
	});

	it('keeps where and why it is wrong, each time', () => {
		const { schema } = counted();
		const row = z.looseObject({ options: schema });
		const wrong = { options: { size: 'x' } };
		const issues = [row.safeParse(wrong), row.safeParse(wrong)].map(({ error }) =>
			error?.issues.map(({ path, message }) => ({ path, message })),
		);
		const expected = [{ path: ['options', 'size'], message: 'must be a number' }];
		expect(issues).toEqual([expected, expected]);
	});
});
