import { z } from 'zod/v4';
import { addFault, problemsOf, toSentence } from '../../../src/core/problems';

const problemsWith = (schema: z.ZodType, value: unknown) => {
	const { error } = schema.safeParse(value);
	return error ? problemsOf(error, ['customer']) : [];
};

it.each([
	[undefined, 'is empty'],
	[null, 'is empty'],
	[1, 'must be text'],
])('names a wrong type of %j in the words of the panel', (value, reason) => {
	expect(problemsWith(z.string(), value)).toEqual([
		{ path: ['customer'], reason, ...(reason === 'is empty' && { fix: 'Enter a value' }) },
	]);
});

it('leaves the sentences of schemas as they are', () => {
	const sentence = 'must be text. Invalid input: expected number, received text, as it were';
	expect(problemsWith(z.string({ error: sentence }), 1)).toMatchObject([{ reason: sentence }]);
});

it('reports one problem per value, with its position as a number', () => {
	const list = z.object({ phones: z.array(z.string().min(2).startsWith('+')) });
	expect(problemsWith(list, { phones: ['+1', '1', 'x'] })).toMatchObject([
		{ path: ['customer', 'phones', 1] },
		{ path: ['customer', 'phones', 2] },
	]);
});

it('keeps a fault with its value and fix, and writes it as a sentence', () => {
	const fault = { value: '12', reason: 'is too short', fix: 'Add digits' };
	const short = z.string().transform((_, context) => addFault(context, fault, ['phone']));
	expect(problemsWith(short, '12')).toEqual([{ path: ['customer', 'phone'], ...fault }]);
	expect(toSentence(fault)).toBe('"12" is too short. Add digits');
});
