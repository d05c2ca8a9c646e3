import get from 'lodash/get';
import has from 'lodash/has';
import { z } from 'zod/v4';
import { leftOut } from '../../bulk/outcomes';
import type { RowPlan, RowsRead } from '../../bulk/plan';
import type { Problem } from '../../core/failures';
import type { Row } from '../../core/operation';
import { problemsOf } from '../../core/operation';
import { textOf, visible } from '../../core/text';
import { readYesNo } from '../../core/yesNo';
import { zoneCell } from '../hours/hoursSettings';
import type { Barred } from './barred';
import { createBarred, marked } from './barred';
import type { Numbered, Parameters } from './conversationRow';
import { conversationReader, readUnchecked } from './conversationRow';
import { keysOf } from './identity';
import { isMarkedConversation, marksIn } from './marks';
import { unlistedFields } from './newConversation';
import type { CreateSettings } from './settings';

/** What one row wants to start, and what belongs to its person and campaign. */
export interface PlannedConversation extends Numbered {
	readonly campaignKey: string;
	readonly personId: string;
	/** The column that marks the person as one not to be called, where no safeguard reads it. */
	readonly markedIn?: string | undefined;
	/** The time zone in the column of the row, '' for that of its number. */
	readonly timeZone: string;
}

/** Where the parameters are that describe one row. */
const SAFEGUARDS = {
	campaignKey: 'safeguards.attempts.limit.campaignKey',
	doNotCall: 'safeguards.doNotCall.people.mark',
	personId: 'safeguards.personId',
	timeZone: 'safeguards.callingHours.when.timeZone',
} as const;

/** The parameters that describe one row. */
export const rowParameters = [
	...['agentId', 'conversationType', 'toPhoneNumber', 'dynamicVariables', 'dynamicVariablesJson'],
	...['conversationsJson', 'options.additionalFieldsJson'],
	...Object.values(SAFEGUARDS),
] as const;

/** Everyone without a value would be one person, or in one campaign. */
const NO_NAME = /^(undefined|null|NaN|\[object \w+\])$/i;

const text = z.preprocess(
	(value) => (typeof value === 'number' ? String(value) : (value ?? '')),
	z
		.string({ error: 'must be text' })
		.overwrite(visible)
		.refine((name) => !NO_NAME.test(name), {
			error: 'is what an expression writes where there is no value. Correct the expression',
		}),
);

/**
 * Reads and checks the rows of a run. Marks and numbers of every row are read before anything else in it, and a mark holds for the
 * person in all rows, on every channel, whatever else is wrong.
 */
export function readRows(
	rows: Iterable<Row>,
	settings: CreateSettings,
): RowsRead<PlannedConversation> {
	const barred = createBarred();
	const seen: Seen = {
		safeguards: new Map(),
		variables: new Map(),
		columns: new Set(),
		unlisted: new Set(),
		unreadableMarks: 0,
	};
	const readConversations = conversationReader(settings);
	const plans = Array.from(rows, (row, position): RowPlan<PlannedConversation> => {
		if (row.problems !== undefined) return { entries: [], problems: row.problems };
		const parameters = Object(row.parameters) as Parameters;
		return readRow(parameters, settings, { seen, barred, readConversations, row: position + 1 });
	});
	for (const { entries } of plans) for (const { content } of entries) barred.link(content);
	return {
		rows: plans.map((plan) => withoutBarred(plan, barred, settings)),
		problems: emptySafeguards(seen),
		stop: seen.unreadableMarks > 0 ? UNREADABLE : undefined,
		notes: [...notesOf(seen), ...barred.notes()],
	};
}

const UNREADABLE =
	'Not sent, because a Do Not Call mark is neither yes nor no. Correct it, or no one can tell who must not be called';

const MARKED = marked('the row is marked do not call');
const LISTED = leftOut(
	'Not called, because the number is listed under Do Not Call',
	'listed under Do Not Call',
);

/** Leaves out whoever is barred by another row, or by the list of numbers. */
function withoutBarred(
	{ entries, ...plan }: RowPlan<PlannedConversation>,
	barred: Barred,
	{ doNotCallNumbers }: CreateSettings,
): RowPlan<PlannedConversation> {
	const checked = entries.map(({ content, outcome }) => {
		const isListed = keysOf(content).some((key) => doNotCallNumbers.has(key));
		return { content, outcome: outcome ?? (isListed ? LISTED : barred.outcomeFor(content)) };
	});
	return { ...plan, entries: checked };
}

/** What rows are read into. */
interface Reading {
	readonly seen: Seen;
	readonly barred: Barred;
	readonly readConversations: ReturnType<typeof conversationReader>;
	/** The row, counted from 1. */
	readonly row: number;
}

function readRow(
	parameters: Parameters,
	settings: CreateSettings,
	{ seen, barred, readConversations, row }: Reading,
): RowPlan<PlannedConversation> {
	const problems: Problem[] = [];
	const inputRow = Object(parameters['inputRow']) as object;
	for (const column of seen.columns.size === 0 ? Object.keys(inputRow) : [])
		seen.columns.add(column);
	const entered = (path: string): unknown => {
		const value: unknown = get(parameters, path);
		// An empty mark is a mark: webhooks send null for it.
		const isGiven = path === SAFEGUARDS.doNotCall ? value !== undefined : !isMissing(value);
		if (has(parameters, path)) noteGiven(seen.safeguards, path, isGiven);
		return value;
	};
	const read = (path: string, schema: z.ZodType<string>): string => {
		const parsed = schema.safeParse(entered(path));
		if (!parsed.success) problems.push(...problemsOf(parsed.error, path.split('.')));
		return parsed.data ?? '';
	};
	const mark = entered(SAFEGUARDS.doNotCall);
	const readsMarks = has(parameters, SAFEGUARDS.doNotCall);
	const said = mark === undefined ? false : readYesNo(mark);
	if (said === undefined) {
		seen.unreadableMarks += 1;
		const message = `"${textOf(mark).slice(0, 40)}" is neither yes nor no. Use yes or no, or true or false`;
		problems.push({ path: SAFEGUARDS.doNotCall.split('.'), message });
	}
	// The strictest of several marks wins.
	const marks = Array.from(marksIn(inputRow)).filter(({ says }) => says === true);
	const isMarked = said === true || (readsMarks && marks.some(({ depth }) => depth === 0));
	const whose = {
		campaignKey: read(SAFEGUARDS.campaignKey, text),
		personId: read(SAFEGUARDS.personId, text),
		timeZone: read(SAFEGUARDS.timeZone, zoneCell),
		...(!readsMarks && { markedIn: marks[0]?.name }),
	};
	const isFor = (entry: object): boolean => isMarked || isMarkedConversation(entry);
	const entries = readUnchecked(parameters, settings, isFor).map(({ unreadable, ...each }) => {
		const planned = { ...each, ...whose };
		barred.add({ planned, unreadable, row });
		return { content: planned, outcome: MARKED };
	});
	// A row that is marked is not checked any further.
	if (isMarked) return { entries };
	const shown = { toPhoneNumber: parameters['toPhoneNumber'] };
	if (problems.length > 0) return { entries: [], problems, entered: shown };
	if (settings.variablesMode === 'fields') noteVariables(seen, parameters);
	const found = readConversations(parameters);
	if ('problems' in found) return { entries: [], problems: found.problems, entered: shown };
	const planned = found.read.map((each) => ({ ...each, ...whose }));
	for (const { conversation } of planned)
		for (const field of unlistedFields(conversation)) seen.unlisted.add(field);
	const missing = settings.attempts ? planned.flatMap(attemptProblems) : [];
	if (missing.length > 0) return { entries: [], problems: missing, entered: shown };
	return {
		entries: planned.map((content) => ({
			content,
			outcome: isMarkedConversation(content.conversation) ? MARKED : undefined,
		})),
	};
}

/** Attempts are counted by campaign and person. */
function attemptProblems({ campaignKey, numbers, personId }: PlannedConversation): Problem[] {
	if (campaignKey === '')
		return [{ path: SAFEGUARDS.campaignKey.split('.'), message: NO_CAMPAIGN }];
	return numbers.length > 0 || personId !== ''
		? []
		: [{ path: SAFEGUARDS.personId.split('.'), message: NO_PERSON }];
}

const NO_CAMPAIGN = 'is empty. Attempts are counted by campaign, so enter a name for it';
const NO_PERSON = 'is empty. Attempts are counted by person, so a chat without a number needs one';

/** What only all rows together tell. */
interface Seen {
	/** Safeguards that were entered, and whether any row has a value for them. */
	readonly safeguards: Map<string, boolean>;
	/** The same of variables. */
	readonly variables: Map<string, boolean>;
	/** The columns of the first row that has any. */
	readonly columns: Set<string>;
	/** Fields that the service does not document. */
	readonly unlisted: Set<string>;
	unreadableMarks: number;
}

const isMissing = (value: unknown): boolean => (value ?? null) === null;

const noteGiven = (seen: Map<string, boolean>, name: string, isGiven: boolean): unknown =>
	seen.set(name, isGiven || seen.get(name) === true);

function noteVariables(seen: Seen, parameters: Parameters): void {
	const entered: unknown = get(parameters, 'dynamicVariables.variables');
	for (const variable of Array.isArray(entered) ? entered : []) {
		const { name, value } = Object(variable) as Parameters;
		if (typeof name === 'string') noteGiven(seen.variables, name, !isMissing(value));
	}
}

const withoutValue = (seen: ReadonlyMap<string, boolean>): string[] =>
	[...seen].flatMap(([name, hasValue]) => (hasValue ? [] : [name]));

const emptySafeguards = ({ safeguards, columns }: Seen): Problem[] =>
	withoutValue(safeguards).map((name) => {
		const found = [...columns].slice(0, 30).join(', ');
		const message = `is empty in every row. Check the column name in its expression. Columns found: ${found || 'none'}`;
		return { path: name.split('.'), message };
	});

function notesOf({ variables, unlisted }: Seen): string[] {
	const sent = [...unlisted].slice(0, 10).join(', ');
	return [
		...withoutValue(variables).map(
			(name) => `Variable '${name}' is empty in every row. Check the column name in its expression`,
		),
		...(sent === ''
			? []
			: [`Sent as entered, although the service does not document them: ${sent}`]),
	];
}
