import { z } from 'zod/v4';

/** A UUID as the interface defines it: version 1-8 and variant 8, 9, a or b, or all zeros, or all f. */
export const UUID =
	/^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i;

const EXAMPLE = '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';
const EMPTY = `is empty. Enter a UUID, e.g. ${EXAMPLE}`;

/** Checks a UUID; spaces around it are removed. */
export const uuid = z
	.string({
		error: ({ input }) =>
			input === undefined || input === null ? EMPTY : `must be a UUID, e.g. ${EXAMPLE}`,
	})
	.trim()
	.superRefine((value, context) => {
		if (UUID.test(value)) return;
		const message =
			value === ''
				? EMPTY
				: `'${value.slice(0, 60)}' is not a UUID. It should look like ${EXAMPLE}`;
		context.addIssue({ code: 'custom', message });
	});
