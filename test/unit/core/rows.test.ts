import { z } from 'zod/v4';
import { rowsOf } from '../../../src/core/schemas';

const schema = rowsOf(z.string());

describe('the rows of a list', () => {
	it('are read one by one', () => {
		expect(schema.parse(['a', 'b'])).toEqual(['a', 'b']);
		expect(schema.parse([])).toEqual([]);
	});

	it.each([undefined, null, {}, 'a', '={{ $json.rows }}'])(
		'are missed where %j stands in their place, rather than taken for none',
		(value) => {
			expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([
				'is empty because an expression replaces the whole list. Add rows and use expressions in their fields, or use JSON',
			]);
		},
	);
});
