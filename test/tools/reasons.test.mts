import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonsOf } from '../../tools/demo/reasons.mts';

test('each of several reasons of a row is told by its field, without the value', () => {
	const row =
		'Row 3: \'Customer > Phone Number\' "030 1 ext. 4" has an extension, which no one dials. Enter it without. \'Customer > Email\' "x" is not an e-mail address. Correct it';
	assert.deepEqual(reasonsOf(row), [
		'Phone Number has an extension',
		'Email is not an e-mail address',
	]);
	assert.deepEqual(
		reasonsOf("'Customer > Identifier' 'C-1' in 'ID' is the ID of different people, e.g. A and B"),
		['Identifier is the ID of different people'],
	);
});
