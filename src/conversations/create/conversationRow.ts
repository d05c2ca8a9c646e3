import { compact, get, isDate, isObject } from 'lodash';
import { z } from 'zod/v4';
import type { RowRead } from '../../bulk/plan';
import type { Problem } from '../../core/failures';
import type { Row, RowParameters } from '../../core/operation';
import { cleanText, isBlank } from '../../core/plainText';
import { problemsOf } from '../../core/problems';
import { holdsBack, readMark, readMarkCell } from '../../core/readMark';
import { isRealText, NOT_REAL_TEXT } from '../../core/schemas';
import { zoneCell } from '../hours/hoursSettings';
import type { PlannedConversation } from '../plannedConversation';
import { readPhone, type CalledPhone } from './calledPhone';
import { checkConversation, readFields } from './newConversation';
import { CAMPAIGN_KEY, PERSON_ID, TIME_ZONE } from './parameters';
import { NO_CAMPAIGN, type CreateSettings } from './settings';
import type { ReadParameter } from './variables';

/** A row with its cell in the column of marks. */
export interface ConversationRow extends RowRead<PlannedConversation> {
	readonly parameters: RowParameters;
	readonly markCell: unknown;
	/** The keys of its person, also if the row is invalid: the number and the Person ID. */
	readonly people: readonly string[];
	/** Whether its own mark holds the person back. */
	readonly isHeldBack: boolean;
	/** Whether the row holds back a person who cannot be read. */
	readonly isHeldPersonUnread: boolean;
}

/** Reads and checks a row. A row that is held back has content, even if it has problems. */
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
	const row = {
		parameters,
		markCell,
		people: compact([phone.parsed?.number, personId]),
		isHeldBack,
		isHeldPersonUnread: isHeldBack && isUnread(phone, personId, [...failed, ...problems]),
		entered: { toPhoneNumber: fields?.['toPhoneNumber'] },
	};
	const { conversation, problems: faults } = checkConversation(fields ?? {}, phone, settings);
	if (fields) problems.push(...faults); // Without fields, the invalid JSON is reported already.
	const content: PlannedConversation = { conversation, personId, campaignKey, timeZone };
	// Later problems may follow from earlier ones.
	if (problems.length === 0) {
		problems.push(...findMissingVariables(content, settings));
		if (settings.attempts) problems.push(...findUncounted(content));
	}
	// Failed expressions are reported alone, because they may have caused the other problems.
	const reported = failed.length > 0 ? failed : problems;
	// No one is called for a row that is held back, so its problems do not matter.
	return isHeldBack || reported.length === 0 ? { ...row, content } : { ...row, problems: reported };
}

/** Reads whether the cell in the column of marks holds the person back. An unclear cell stops the run later. */
function readHeldBack({ inputRow }: RowParameters, { marks }: CreateSettings) {
	if (!marks) return { markCell: '', isHeldBack: false };
	const markCell = readMarkCell(inputRow, marks);
	const mark = readMark(markCell, marks);
	return { markCell, isHeldBack: mark !== 'unclear' && holdsBack(mark, marks) };
}

/** Whether a value has no visible content: blank, or a list or object of blanks. A date has content. */
const hasNoContent = (value: unknown): boolean =>
	isBlank(value) || (isObject(value) && !isDate(value) && Object.values(value).every(isBlank));

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

/** The parameters that name the person of a conversation. */
const PERSON_PATH = /^(toPhoneNumber|conversationJson|safeguards\.personId)/;

/** Whether the person of a row is unclear: the number or Person ID is invalid, or both are missing. */
function isUnread(phone: CalledPhone, personId: string, problems: readonly Problem[]): boolean {
	if (problems.some(({ path }) => PERSON_PATH.test(path.join('.')))) return true;
	return !phone.parsed && (personId === '' || !phone.isBlank);
}

/** Finds why an attempt cannot be counted: no campaign, or neither a number nor a Person ID. */
function findUncounted({ campaignKey, conversation, personId }: PlannedConversation): Problem[] {
	if (campaignKey === '') return [{ path: CAMPAIGN_KEY.split('.'), reason: NO_CAMPAIGN }];
	if (conversation.toPhoneNumber !== undefined || personId !== '') return [];
	return [{ path: PERSON_ID.split('.'), reason: NO_PERSON }];
}

const NO_PERSON = 'is empty. Attempts are counted by person, so a chat without a number needs one';

/** Reads a Person ID or campaign from text or a number; '' without a value. Rejects text such as "undefined". */
const personText = z.preprocess(
	(value) => (typeof value === 'number' ? String(value) : (value ?? '')),
	z
		.string({ error: 'must be text' })
		.overwrite(cleanText)
		// All rows with the text "undefined" would otherwise be one person, or in one campaign.
		.refine(isRealText, { error: NOT_REAL_TEXT }),
);
