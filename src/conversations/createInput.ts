import { z } from 'zod/v4';
import { listed } from '../bulk/listed';
import { choice, seconds, timeout, trueOrFalse, wholeNumber, yesOrNo } from '../core/fields';
import { fitsJson, jsonParameter } from '../core/json';
import { countryCode, readPhoneNumber, withCountryCode } from '../core/phoneNumber';
import { textOf } from '../core/text';
import { jsonVariables, newConversation, variableRows, variables } from './newConversation';

/** Whether a cell of a sheet holds nothing. */
export const isBlank = (mark: unknown): boolean =>
	mark === undefined || mark === null || (typeof mark === 'string' && mark.trim() === '');

const shared = {
	maximumConversations: wholeNumber(1).default(500),
	options: z
		.looseObject({
			batchSize: wholeNumber(1).default(50),
			pause: seconds.default(0),
			timeout: timeout.prefault(120),
			parallelRequests: wholeNumber(1, 20).default(1),
			campaignKey: z.string({ error: 'must be text' }).trim().default(''),
			columnsAsVariables: trueOrFalse.default(false),
			defaultCountryCode: countryCode.default(''),
			doNotCall: z.preprocess((mark) => (isBlank(mark) ? false : mark), yesOrNo).default(false),
			dryRun: trueOrFalse.default(false),
			skipContacted: trueOrFalse.default(false),
			outputAs: choice(['rows', 'requests']).default('rows'),
			duplicates: choice(['callEvery', 'callOnce', 'stop']).default('callOnce'),
			invalidRows: choice(['stop', 'sendValid']).default('stop'),
		})
		.prefault({}),
};

const dialled = z.looseObject({
	inputMode: z.literal('fields'),
	toPhoneNumber: z.unknown(),
	options: z.looseObject({ defaultCountryCode: z.string().default(''), doNotCall: z.unknown() }),
});

/**
 * Completes the number of a row that has no country code, where there is one for all. A row marked do not call is not
 * checked any further: nobody has to repair a number that must not be called.
 */
function prepare(raw: unknown): unknown {
	const known = dialled.safeParse(raw).data;
	if (!known) return raw;
	const { toPhoneNumber: entered, options } = known;
	const code = options.defaultCountryCode;
	const toPhoneNumber = code === '' ? entered : withCountryCode(entered, code);
	const isMarked = yesOrNo.safeParse(options.doNotCall).data === true;
	return { ...known, toPhoneNumber, ...(isMarked && { inputMode: 'barred' }) };
}

/** The number of a row that is not called, as far as it can be read. */
const barredNumber = z.unknown().transform((value) => {
	const read = readPhoneNumber(value);
	return 'number' in read ? read.number : textOf(value ?? '').trim();
});

/** The parameters of one row of Conversation > Create. */
export const input = z.preprocess(
	prepare,
	z.discriminatedUnion(
		'inputMode',
		[
			z
				.object({
					inputMode: z.literal('fields'),
					agentId: newConversation.shape.agentId,
					conversationType: newConversation.shape.conversationType,
					toPhoneNumber: newConversation.shape.toPhoneNumber,
					variablesMode: choice(['fields', 'json']).default('fields'),
					// Not z.record, which takes a column named `constructor` for a class.
					inputRow: variables.default({}),
					dynamicVariables: variableRows.prefault({ variables: [] }),
					dynamicVariablesJson: jsonParameter.pipe(jsonVariables).default({}),
					...shared,
				})
				.refine(({ options, inputRow }) => !options.columnsAsVariables || fitsJson(inputRow), {
					path: ['options', 'columnsAsVariables'],
					error:
						'cannot be used: this row holds a column that cannot be written as JSON. Leave it out, or convert it to text',
				}),
			z.object({ inputMode: z.literal('barred'), toPhoneNumber: barredNumber, ...shared }),
			z.object({
				inputMode: z.literal('json'),
				conversationsJson: listed(newConversation, 'conversation'),
				...shared,
			}),
		],
		{ error: 'must be one of fields, json' },
	),
);

/** The checked parameters of one row. */
export type Input = z.infer<typeof input>;
