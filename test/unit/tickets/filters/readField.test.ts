import { toWholeNumber } from '../../../../src/core/schemas';
import { readList, readOne } from '../../../../src/tickets/filters/conditions';

it.each([
	['7', 7],
	[' -7 ', -7],
	['1.000', '1.000'],
	['+3', 3],
	['x7', 'x7'],
	['7x', '7x'],
	['7.', '7.'],
	['7.x', '7.x'],
	['', ''],
	[7, 7],
	[true, true],
	[['7'], ['7']],
])('reads %j as the number %j, or leaves it to be refused', (value, expected) => {
	expect(toWholeNumber(value)).toEqual(expected);
	expect(readOne(value, 'number')).toEqual(expected);
});

it.each([
	[' TRUE ', true],
	['false', false],
	['yes', 'yes'],
	[false, false],
])('reads %j as the truth value %j on a column of truth values only', (value, expected) => {
	expect(readOne(value, 'boolean')).toEqual(expected);
	expect(readOne(value, 'text')).toEqual(value);
});

it.each([
	[undefined, []],
	[null, []],
	['', []],
	[' , ', []],
	['a, b,', ['a', 'b']],
	['["a, b", "c"]', ['a, b', 'c']],
	[7, ['7']],
	[
		[' ', null, undefined, '', 'a', 0, false],
		['a', '0', false],
	],
	[{ a: 1 }, { a: 1 }],
])('reads the list %j as %j', (value, expected) => {
	expect(readList(value, 'text')).toEqual(expected);
});
