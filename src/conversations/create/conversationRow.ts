import { get, has, isObject, lowerCase, omit, pick } from 'lodash';
import { z } from 'zod/v4';
import type { RowRead } from '../../bulk/plan';
import { countryParameter } from '../../core/country';
import type { Fault, Problem } from '../../core/failures';
import { fitsJson, jsonParameter } from '../../core/json';
import type { Row, RowParameters } from '../../core/operation';
import { isBlankNumber, readPhoneNumber, type PhoneNumber } from '../../core/phoneNumber';
import { cleanText, isBlank, toText } from '../../core/plainText';
import { problemsOf } from '../../core/problems';
import { holdsBack, readMark, readMarkCell } from '../../core/readMark';
import { chosenValue, isRealText, NOT_REAL_TEXT, uuid } from '../../core/schemas';
import { zoneCell } from '../hours/hoursSettings';
import { LISTED_FIELDS, unlistedFields, type PlannedConversation } from '../plannedConversation';
import { ADDITIONAL, CAMPAIGN_KEY, PERSON_ID, TIME_ZONE } from './parameters';
import { NO_CAMPAIGN, type CreateSettings } from './settings';
import { jsonObject, NOT_JSON, readVariables, type ReadParameter } from './variables';

/** A row with its cell in the column of marks. */
export interface ConversationRow extends RowRead<PlannedConversation> {
	readonly parameters: RowParameters;
	readonly markCell: unknown;
	/** Whether the row holds back a person who cannot be read. */
	readonly isUnreadMark: boolean;
}

/** Reads and checks a row. A person who is held back is read even if other cells are invalid. */
export function readRow(entered: Row, settings: CreateSettings): ConversationRow {
	// The problems of parameters whose expressions failed; the readable ones may still name the person.
	const { problems: failed = [] } = entered;
	const readable: unknown = 'parameters' in entered ? entered.parameters : entered.readable;
	const parameters = Object(readable) as RowParameters;
	const problems: Problem[] = [];
	const read: ReadParameter = (path, schema) => {
		const parsed = schema.safeParse(get(parameters, path));
		if (parsed.error) problems.push(...problemsOf(parsed.error, path.split('.')));
		return parsed.data;
	};
	const fields = readFields(parameters, settings, read);
	const phone = readPhone(fields?.['toPhoneNumber'], settings, read);
	const personId = read(PERSON_ID, personText) ?? '';
	const campaignKey = read(CAMPAIGN_KEY, personText) ?? '';
	const timeZone = read(TIME_ZONE, zoneCell) ?? '';
	const { markCell, isHeldBack } = readHeldBack(parameters, settings);
	const isPersonUnread =
		(!phone.number && (personId === '' || !phone.isBlank)) ||
		[...failed, ...problems].some(({ path }) => PERSON_PATH.test(path.join('.')));
	const row = {
		parameters,
		markCell,
		isUnreadMark: isHeldBack && isPersonUnread,
		entered: { toPhoneNumber: fields?.['toPhoneNumber'] },
	};
	// Without fields, nothing else can be checked.
	if (!fields && !isHeldBack) return { ...row, problems: failed.length > 0 ? failed : problems };
	const checked = checkConversation(fields ?? {}, phone, settings);
	problems.push(...checked.problems);
	const content: PlannedConversation = {
		conversation: checked.conversation,
		country: phone.number?.country,
		isHeldBack,
		personId,
		campaignKey,
		timeZone,
	};
	// Later problems may follow from earlier ones.
	if (problems.length === 0) {
		problems.push(...findMissingVariables(content, settings));
		if (settings.attempts) problems.push(...findUncounted(content));
	}
	// The failed expressions are reported alone, because they may have caused the other problems.
	const reported = failed.length > 0 ? failed : problems;
	// A row that is held back is not called, so its problems do not matter.
	if (isHeldBack || reported.length === 0) return { ...row, content };
	return { ...row, problems: reported };
}

/** Checks the fields of a conversation. Invalid fields become problems, and get their defaults. */
function checkConversation(
	fields: RowParameters,
	{ number, fault, isBlank: isBlankPhone }: ReturnType<typeof readPhone>,
	{ inputMode }: CreateSettings,
): Pick<PlannedConversation, 'conversation'> & { readonly problems: readonly Problem[] } {
	const under = inputMode === 'json' ? ['conversationJson'] : [];
	const parsed = newConversationSchema.safeParse(omit(fields, 'toPhoneNumber'));
	const problems = parsed.error ? problemsOf(parsed.error, under) : [];
	// Only a call needs a number, but an entered number must be valid.
	const needsNumber = cleanText(toText(fields['conversationType'])) === CALL;
	if (fault && (needsNumber || !isBlankPhone))
		problems.push({ ...fault, path: [...under, 'toPhoneNumber'] });
	const toPhoneNumber = number && { toPhoneNumber: number.number };
	return { conversation: { agentId: '', ...DEFAULTS, ...parsed.data, ...toPhoneNumber }, problems };
}

/** Reads the fields of a conversation from JSON or from parameters, with defaults; undefined if the JSON is invalid. */
function readFields(
	parameters: RowParameters,
	settings: CreateSettings,
	read: ReadParameter,
): RowParameters | undefined {
	const chosen =
		settings.inputMode === 'json'
			? read('conversationJson', conversationJson)
			: {
					...pick(parameters, ['agentId', 'conversationType', 'toPhoneNumber']),
					dynamicVariables: readVariables(settings, read) ?? {},
				};
	const additional = has(parameters, ADDITIONAL) ? read(ADDITIONAL, additionalFields) : {};
	return chosen && { ...DEFAULTS, ...additional, ...chosen };
}

/** Reads the number of a row, and the fault if it is invalid or must not be called. Blank means without digits. */
function readPhone(entered: unknown, settings: CreateSettings, read: ReadParameter) {
	const defaultCountry = read('defaultCountry', countryParameter);
	const phone = readPhoneNumber(entered, { ...settings, defaultCountry });
	const isBlank = isBlankNumber(entered);
	if ('reason' in phone) return { isBlank, fault: phone };
	return { isBlank, number: phone, fault: findNumberFault(phone, settings) };
}

/** Reads whether the cell in the column of marks holds the person back. An unclear cell stops the run later. */
function readHeldBack({ inputRow }: RowParameters, { marks }: CreateSettings) {
	if (!marks) return { markCell: '', isHeldBack: false };
	const markCell = readMarkCell(inputRow, marks);
	const mark = readMark(markCell, marks);
	return { markCell, isHeldBack: mark !== 'unclear' && holdsBack(mark, marks) };
}

/** Whether a value has no visible content: blank, or a list or object of blanks. */
const hasNoContent = (value: unknown): boolean =>
	isBlank(value) || (isObject(value) && Object.values(value).every(isBlank));

/** Finds the variables under Required Variables that have no value, as problems. */
const findMissingVariables = (
	{ conversation: { dynamicVariables } }: PlannedConversation,
	{ requiredVariables }: CreateSettings,
): Problem[] =>
	requiredVariables
		.filter((name) => hasNoContent(dynamicVariables[name]))
		.map((name) => ({
			path: ['dynamicVariables'],
			reason: `has no value for '${name}'`,
			fix: 'Fill it in, or remove it from Required Variables',
		}));

/** The parameters that say who a conversation is for. */
const PERSON_PATH = /^(toPhoneNumber|conversationJson|safeguards\.personId)/;

/** Finds why an attempt cannot be counted: no campaign, or neither a number nor a Person ID. */
function findUncounted({ campaignKey, conversation, personId }: PlannedConversation): Problem[] {
	if (campaignKey === '') return [{ path: CAMPAIGN_KEY.split('.'), reason: NO_CAMPAIGN }];
	if (conversation.toPhoneNumber !== undefined || personId !== '') return [];
	return [{ path: PERSON_ID.split('.'), reason: NO_PERSON }];
}

const NO_PERSON = 'is empty. Attempts are counted by person, so a chat without a number needs one';

const personText = z.preprocess(
	(value) => (typeof value === 'number' ? String(value) : (value ?? '')),
	z
		.string({ error: 'must be text' })
		.overwrite(cleanText)
		// All rows without a value would otherwise be one person, or in one campaign.
		.refine(isRealText, { error: NOT_REAL_TEXT }),
);

/** The type of a conversation that is a phone call. */
const CALL = 'telephony';

const NO_TYPE = 'is empty. Use telephony, chat or web';
const TYPES: readonly string[] = [CALL, 'chat', 'web'];
const OTHER_CASE = 'must be written in small letters, e.g. telephony';
const NO_OBJECT = 'must be an object, e.g. {"agentId": "...", "toPhoneNumber": "+14155550178"}';
const NO_LIST =
	'contains a list. Each row is one conversation, so add a Split Out node before this one';

/** A conversation apart from its number. The interface has no list of types (interface: Conversation). */
const newConversationSchema = z
	.looseObject({
		agentId: z.preprocess(chosenValue, uuid),
		conversationType: z
			.string({ error: ({ input }) => (isBlank(input) ? NO_TYPE : 'must be text, e.g. telephony') })
			.overwrite(cleanText)
			.min(1, { error: NO_TYPE })
			// Another type needs no number, so Telephony would call nobody.
			.refine((type) => TYPES.includes(type) || !TYPES.includes(type.toLowerCase()), OTHER_CASE),
		dynamicVariables: jsonObject,
	})
	.refine(fitsJson, { error: NOT_JSON });

/** Whether a value has several conversations: a list, or the body of a request such as `{"conversations": […]}`. */
const hasSeveral = (value: unknown): boolean =>
	Array.isArray(value) || Array.isArray(get(value, 'conversations'));

const conversationJson = jsonParameter
	.refine((value) => !hasSeveral(value), { error: NO_LIST, abort: true })
	.pipe(z.looseObject({}, { error: NO_OBJECT }));

const additionalFields = jsonParameter
	.pipe(jsonObject)
	.refine((fields) => unlistedFields(fields).length === Object.keys(fields).length, {
		error: `contains a field that has its own parameter (${LISTED_FIELDS.join(', ')}). Remove it`,
	});

const DEFAULTS = { conversationType: CALL, dynamicVariables: {} };

/** Types of numbers that are called only if the user allows it. */
const COSTLY_TYPES: ReadonlyArray<PhoneNumber['type']> = [
	'PREMIUM_RATE',
	'SHARED_COST',
	'PERSONAL_NUMBER',
	'PAGER',
	'VOICEMAIL',
	'UAN',
];

/** Finds why a number must not be called: a costly type, or a country outside Allowed Countries if it has any. */
function findNumberFault(
	{ number, country, type }: PhoneNumber,
	{ allowedCountries, allowPremiumRate }: CreateSettings,
): Fault | undefined {
	if (!allowPremiumRate && COSTLY_TYPES.includes(type))
		return {
			value: number,
			reason: `may cost more, because its type is ${lowerCase(type)}`,
			fix: "Remove the row, or add 'Allow Premium-Rate Numbers' under Options",
		};
	if (allowedCountries.length === 0 || (country && allowedCountries.includes(country)))
		return undefined;
	return {
		value: number,
		reason: `is in ${country ?? 'no country'}, not in Allowed Countries (${allowedCountries.join(', ')})`,
		fix: country ? 'Add it there, or remove the row' : 'Remove the row',
	};
}
