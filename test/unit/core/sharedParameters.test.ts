import { z } from 'zod/v4';
import { sharedParameters } from '../../../src/core/sharedParameters';

describe('parameters that rows share', () => {
	const counted = () => {
		let completed = 0;
		const read = sharedParameters(
			{
				size: z.number({ error: 'must be a number' }).default(1),
				options: z.looseObject({ dry: z.boolean({ error: 'must be true or false' }) }),
			},
			({ size, options }) => {
				completed += 1;
				return { size: size * 2, dry: options.dry };
			},
		);
		return { read, completed: () => completed };
	};

	it('are completed once, however many rows hold them, whatever else the rows hold', () => {
		const { read, completed } = counted();
		const options = { dry: true };
		const first = read({ size: 2, options, row: 1 });
		expect(first).toEqual({ ok: true, value: { size: 4, dry: true } });
		expect(read({ options, size: 2, row: 2 })).toBe(first);
		expect(completed()).toBe(1);
	});

	it.each([
		['another value', { size: 3 }, { size: 6, dry: true }],
		['a missing value', { size: undefined }, { size: 2, dry: true }],
		['an equal object of its own', { options: { dry: true } }, { size: 4, dry: true }],
		['other options', { options: { dry: false } }, { size: 4, dry: false }],
	])('are read anew for a row with %s', (_, other, expected) => {
		const { read, completed } = counted();
		const parameters = { size: 2, options: { dry: true } };
		read(parameters);
		expect(read({ ...parameters, ...other })).toEqual({ ok: true, value: expected });
		expect(read(parameters)).toEqual({ ok: true, value: { size: 4, dry: true } });
		expect(completed()).toBe(3);
	});

	it('keep where and why they are wrong, for each row', () => {
		const { read, completed } = counted();
		const wrong = { size: 'x', options: { dry: 1 } };
		const failure = [
			{ path: ['size'], message: 'must be a number' },
			{ path: ['options', 'dry'], message: 'must be true or false' },
		];
		expect([read(wrong), read(wrong)]).toEqual([
			{ ok: false, failure },
			{ ok: false, failure },
		]);
		expect(completed()).toBe(0);
	});
});
