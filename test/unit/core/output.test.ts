import { z } from 'zod/v4';
import {
	outputParameters,
	createPicker,
	returnedFields,
	requireSelectedColumns,
} from '../../../src/core/output';

const fields = ['id', 'title', 'status'] as const;
const schema = z.object(outputParameters(fields, 'column')).refine(...requireSelectedColumns);

it.each([
	[{ output: 'selected' }, 'columns', 'is empty. Choose at least one column'],
	[{ output: 'selected', columns: '' }, 'columns', 'is empty. Choose at least one column'],
	[{ output: 'all' }, 'output', 'must be one of simplified, raw, selected'],
	[{ output: 'selected', columns: 'id, name' }, 'columns.1', 'must be one of id, title, status'],
])('says what is wrong with %j', (entered, path, message) => {
	const issues = schema.safeParse(entered).error?.issues ?? [];
	expect(issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[path, message]]);
});

it('has all fields when raw, the usual ones when simplified, and the selected ones in their order and once', () => {
	const columns = ['status', 'id', 'status'] as const;
	const returned = (output: string, id: 'id' | 'title' = 'id') =>
		returnedFields<'id' | 'status' | 'title'>({ output, columns }, { simplified: ['title'], id });
	expect(returned('raw')).toEqual([]);
	expect(returned('simplified')).toEqual(['title']);
	expect(returned('selected')).toEqual(['status', 'id']);
	// The ID is always among them.
	expect(returned('selected', 'title')).toEqual(['title', 'status', 'id']);
});

it('picks the fields in their order, null where there is none', () => {
	const item = { c: null, a: undefined, b: 0 };
	const picked = createPicker(['b', 'x', 'a', 'c'])(item);
	expect(Object.entries(picked)).toEqual([
		['b', 0],
		['x', null],
		['a', null],
		['c', null],
	]);
});
