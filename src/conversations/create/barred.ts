import { hash } from 'crypto';
import compact from 'lodash/compact';
import groupBy from 'lodash/groupBy';
import partition from 'lodash/partition';
import uniq from 'lodash/uniq';
import { z } from 'zod/v4';
import type { NotAccepted } from '../../bulk/outcomes';
import { leftOut } from '../../bulk/outcomes';
import type { RowPlan } from '../../bulk/plan';
import type { Ledger } from '../../core/operation';
import { plural } from '../../core/text';
import {
	digitsOfPerson,
	keysOf,
	nameOfDigits,
	namesOfNumber,
	numberKey,
	ofOne,
	plainKeys,
} from './identity';
import { isLook, looksIn, looksOf, showsTooLittle } from '../../core/phone/looks';
import type { PlannedConversation } from './readRows';

const marked = (reason: string): NotAccepted =>
	leftOut(`Not called, because ${reason}`, 'marked Do Not Call');

/** The outcome of someone whose own row says it. */
export const MARKED = marked('the row is marked do not call');
const EARLIER = marked('this execution found the person marked do not call in an earlier round');
const LISTED = leftOut(
	'Not called, because the number is listed under Do Not Call',
	'listed under Do Not Call',
);

type Rows = ReadonlyArray<RowPlan<PlannedConversation>>;

/** Why someone must not be called, by the keys of people and by what a number looks like. */
type Barred = Map<string, NotAccepted>;

/**
 * Leaves out everyone who must not be called: whoever a row marks, in all rows, on every channel and in every spelling, also in later
 * rounds of a loop and attempts of this execution; and whoever is listed.
 */
export function leaveOutBarred(
	rows: Rows,
	{ doNotCallNumbers }: { readonly doNotCallNumbers: ReadonlySet<string> },
	ledger: Ledger,
): { readonly rows: Rows; readonly notes: readonly string[]; readonly stop?: string | undefined } {
	const isAnyoneMarked = rows.some(({ entries }) =>
		entries.some(({ outcome }) => outcome === MARKED),
	);
	const isAnyoneKnown = doNotCallNumbers.size > 0 || ledger.recall(IN_LEDGER) !== undefined;
	if (!isAnyoneMarked && !isAnyoneKnown) return { rows, notes: [] };
	const barred = barredBy(rows, ledger);
	const stop = stopOf(rows, barred);
	for (const key of doNotCallNumbers) {
		barred.set(key, LISTED);
		for (const name of namesOfNumber(key)) barred.set(name, LISTED);
	}
	return {
		rows: rows.map(({ entries, ...row }) => ({
			...row,
			entries: entries.map(({ content, outcome }) => ({
				content,
				outcome: outcome ?? compact(namesOf(content).map((key) => barred.get(key)))[0],
			})),
		})),
		notes: notesOf(rows),
		stop,
	};
}

/** The digits of a Person ID that may be a number. */
const digitsOf = ({ personId }: PlannedConversation): string[] =>
	compact([digitsOfPerson(personId)]);

/** All keys of a person, and those digits. */
const namesOf = (content: PlannedConversation): string[] => [
	...keysOf(content),
	...plainKeys(content.personId),
	...digitsOf(content).map(nameOfDigits),
];

/** What is known of a number that cannot be read. */
const looksOfTexts = ({ unreadable }: PlannedConversation): string[] => unreadable.flatMap(looksIn);

/** The first row that bars someone is named. */
function addTo(barred: Barred, name: string, why: NotAccepted | undefined): void {
	if (why && !barred.has(name)) barred.set(name, why);
}

/** Whoever rows mark, or an earlier round found marked, by all keys of the same people; and whoever may have a number of theirs. */
function barredBy(rows: Rows, ledger: Ledger): Barred {
	const barred: Barred = new Map();
	const bar = (content: PlannedConversation, why: NotAccepted, row: string): void => {
		const names = [...namesOf(content), ...content.numbers.flatMap(namesOfNumber)];
		for (const name of [...names, ...digitsOf(content)]) addTo(barred, name, why);
		const alike = marked(
			`${row} marked do not call, and its number cannot be read but may be this one`,
		);
		for (const look of looksOfTexts(content)) addTo(barred, look, alike);
	};
	const all = rows.flatMap(({ entries }, position) =>
		entries.map((entry) => ({ ...entry, row: `row ${position + 1}` })),
	);
	for (const { content, row } of all.filter(({ outcome }) => outcome === MARKED))
		bar(content, marked(`${row} of the same person is marked do not call`), `${row} is`);
	const earlier = new Set(z.array(z.string()).catch([]).parse(ledger.recall(IN_LEDGER)));
	if (barred.size + earlier.size === 0) return barred;
	const isEarlier = (name: string): boolean => earlier.size > 0 && earlier.has(hidden(name));
	for (const { content } of all)
		for (const key of namesOf(content)) if (isEarlier(key)) addTo(barred, key, EARLIER);
	const people = all.map(({ content, row }) => ({ row, content: ofOne(content) }));
	const peopleWith = groupBy(
		people.flatMap((each) => namesOf(each.content).map((key) => ({ ...each, key }))),
		'key',
	);
	const looks = new Set(
		all.flatMap(({ content }) => [...looksOfTexts(content), ...digitsOf(content)]),
	);
	// Where all numbers could be read, no one has to be compared digit by digit.
	const isCompared = looks.size > 0 || ledger.recall(LOOKS) === true;
	const numbers = isCompared ? all.flatMap(({ content }) => content.numbers) : [];
	const shown = shownBy(numbers, (look) => looks.has(look) || isEarlier(look));
	for (const { look, key } of shown) if (isEarlier(look)) addTo(barred, key, EARLIER);
	const shownIn = groupBy(shown, 'look');
	// What is added here is reached, too.
	for (const [name, why] of barred) {
		for (const { content, row } of peopleWith[name] ?? [])
			bar(content, why, `${row} is of someone`);
		for (const { key } of shownIn[name] ?? []) addTo(barred, key, why);
	}
	for (const name of barred.keys()) earlier.add(hidden(name));
	if ([...barred.keys()].some(isLook)) ledger.record(LOOKS, true);
	ledger.record(IN_LEDGER, [...earlier]);
	return barred;
}

/** What texts may show of numbers, of all that is wanted: each number shows dozens. */
const shownBy = (numbers: readonly string[], isWanted: (look: string) => boolean) =>
	uniq(numbers).flatMap((number) =>
		looksOf(number)
			.filter(isWanted)
			.map((look) => ({ look, key: numberKey(number) })),
	);

const IN_LEDGER = '!';
const LOOKS = '!~';

/** A name in the ledger, in which no numbers stand. */
const hidden = (name: string): string => hash('sha256', name, 'base64url').slice(0, 10);

function notesOf(rows: Rows): string[] {
	const missed = rows
		.flatMap(({ entries }) => entries.filter(({ outcome }) => outcome === MARKED))
		.map(({ content }) => content.unreadable)
		.filter((texts) => texts.length > 0 && !texts.some(showsTooLittle));
	const [alike, none] = partition(missed, (texts) => texts.flatMap(looksIn).length > 0);
	const have = ({ length }: readonly unknown[]): string =>
		`${plural(length, 'row')} marked do not call ${length === 1 ? 'has' : 'have'}`;
	return compact([
		alike.length > 0 &&
			`${have(alike)} a number that cannot be read. Anyone whose number it may be is left out. Correct it in the sheet`,
		none.length > 0 &&
			`${have(none)} no number, so another row of the same person is left out only by its Person ID. Add the number in the sheet`,
	]);
}

/** Why nothing is sent where a row shows too little of the number of someone marked: it may be that of anyone. */
function stopOf(rows: Rows, barred: Barred): string | undefined {
	const [stop] = rows.flatMap(({ entries }, position) =>
		entries.flatMap(({ content, outcome }) => {
			const isReached = namesOf(ofOne(content)).some((name) => barred.has(name));
			if (!(outcome === MARKED || isReached) || !content.unreadable.some(showsTooLittle)) return [];
			const whose = outcome === MARKED ? 'marked' : 'of someone marked';
			return `Not sent, because row ${position + 1} is ${whose} do not call and shows too little of its number to tell who must not be called. Enter the whole number in the sheet`;
		}),
	);
	return stop;
}
