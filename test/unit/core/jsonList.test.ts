import { z } from 'zod/v4';
import { jsonList } from '../../../src/core/json';

const schema = jsonList(z.object({ id: z.string({ error: 'must be text' }) }), 'customer');
const problemsOf = (value: unknown): Array<[string, string]> =>
	(schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [
		path.join('.'),
		message,
	]);

describe('a list in JSON', () => {
	it.each([
		['one value', { id: 'a' }, [{ id: 'a' }]],
		['a list', [{ id: 'a' }, { id: 'b' }], [{ id: 'a' }, { id: 'b' }]],
		['one value as text', '{"id":"a"}', [{ id: 'a' }]],
		['a list as text', '[{"id":"a"}]', [{ id: 'a' }]],
	])('may be %s', (_, value, expected) => {
		expect(schema.parse(value)).toEqual(expected);
	});

	it.each([
		['[]', [['', 'is an empty list. Enter a customer']]],
		[[], [['', 'is an empty list. Enter a customer']]],
		[{ id: 1 }, [['id', 'must be text']]],
		[
			[{ id: 1 }, { id: 'b' }, {}],
			[
				['0.id', 'must be text'],
				['2.id', 'must be text'],
			],
		],
	])('is refused as %j, and each problem names its place', (value, problems) => {
		expect(problemsOf(value)).toEqual(problems);
	});
});
