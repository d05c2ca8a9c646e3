import { hash } from 'crypto';
import compact from 'lodash/compact';
import groupBy from 'lodash/groupBy';
import once from 'lodash/once';
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
	const isAnyoneSeen = rows.some(({ entries }) =>
		entries.some(({ content }) => content.personId !== ''),
	);
	const isAnyoneKnown = doNotCallNumbers.size > 0 || ledger.recall(IN_LEDGER) !== undefined;
	if (!isAnyoneMarked && !isAnyoneSeen && !isAnyoneKnown) return { rows, notes: [] };
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

/** What else finds whoever has one of its numbers, or such a Person ID. */
const othersOf = (content: PlannedConversation): string[] => [
	...content.numbers.flatMap(namesOfNumber),
	...digitsOf(content),
];

/** What is known of a number that cannot be read. */
const looksOfTexts = ({ unreadable }: PlannedConversation): string[] => unreadable.flatMap(looksIn);

/** The first row that bars someone is named. */
function addTo(barred: Barred, name: string, why: NotAccepted | undefined): void {
	if (why && !barred.has(name)) barred.set(name, why);
}

/**
 * Whoever rows mark, or an earlier round found marked, by all keys of the same people, also of those whom earlier rounds saw; and
 * whoever may have a number of theirs.
 */
function barredBy(rows: Rows, ledger: Ledger): Barred {
	const barred: Barred = new Map();
	const bar = (content: PlannedConversation, why: NotAccepted, row: string): void => {
		for (const name of [...namesOf(content), ...othersOf(content)]) addTo(barred, name, why);
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
	const kept = z.array(z.string()).catch([]).parse(ledger.recall(IN_LEDGER));
	const [seenEarlier, earlier] = partition(kept, (entry) => entry.includes(BARS));
	const seen = uniq([
		...seenEarlier,
		...all.slice(-MAX_SEEN).flatMap(({ content }) => asSeen(ofOne(content))),
	]).slice(-MAX_SEEN);
	const record = (): void => {
		const found = [...seen, ...[...barred.keys()].filter(isHidden)];
		if (found.length > 0) ledger.record(IN_LEDGER, found);
	};
	for (const name of earlier) addTo(barred, name, EARLIER);
	if (barred.size === 0) {
		record();
		return barred;
	}
	const people = all.map(({ content, row }) => ({ row, content: ofOne(content) }));
	const peopleWith = groupBy(
		people.flatMap((each) => namesOf(each.content).map((key) => ({ ...each, key }))),
		'key',
	);
	const looks = new Set(
		all.flatMap(({ content }) => [...looksOfTexts(content), ...digitsOf(content)]),
	);
	// Where all numbers could be read, no one has to be compared digit by digit.
	const isCompared = looks.size > 0 || kept.some((entry) => entry.includes(LOOK));
	const known = new Set(isCompared ? kept.flatMap((entry) => entry.split(BETWEEN)) : []);
	const shown = isCompared ? shownBy(all.flatMap(({ content }) => content.numbers)) : [];
	const shownIn = groupBy(
		shown.filter(({ look }) => looks.has(look) || (known.size > 0 && known.has(hidden(look)))),
		'look',
	);
	const names =
		kept.length > 0
			? [...all.flatMap((each) => namesOf(each.content)), ...Object.keys(shownIn)]
			: [];
	const nameOf = new Map(names.map((name) => [hidden(name), name]));
	const before = new Set(earlier);
	const seenAs = once(() => byName(seenEarlier));
	// What is added here is reached, too.
	for (const [name, why] of barred) {
		if (isHidden(name)) {
			const ofRow = nameOf.get(name);
			if (ofRow !== undefined) addTo(barred, ofRow, why);
			const found = before.has(name) ? [] : (seenAs().get(name) ?? []);
			for (const other of found.flatMap((entry) => entry.split(BETWEEN)))
				if (other !== '') addTo(barred, other, why);
			continue;
		}
		addTo(barred, hidden(name), why);
		for (const { content, row } of peopleWith[name] ?? [])
			bar(content, why, `${row} is of someone`);
		for (const { key } of shownIn[name] ?? []) addTo(barred, key, why);
	}
	record();
	return barred;
}

/** A person with a Person ID, as the ledger remembers it: the names that find the person, and all that are held back then. */
function asSeen(content: PlannedConversation): string[] {
	if (content.personId === '') return [];
	const names = namesOf(content);
	const others = [...othersOf(content), ...looksOfTexts(content)].slice(0, MAX_OTHERS);
	const inLedger = (of: readonly string[]): string => of.map(hidden).join(' ');
	return names.length + others.length > 1 ? [`${inLedger(names)}${BARS}${inLedger(others)}`] : [];
}

/** The people whom earlier rounds saw, by the names that find them. */
function byName(seen: readonly string[]): ReadonlyMap<string, readonly string[]> {
	const found = new Map<string, string[]>();
	for (const entry of seen)
		for (const name of entry.slice(0, entry.indexOf(BARS)).split(' ')) {
			const known = found.get(name);
			if (known) known.push(entry);
			else found.set(name, [entry]);
		}
	return found;
}

/** All that texts may show of numbers. */
const shownBy = (numbers: readonly string[]) =>
	uniq(numbers).flatMap((number) =>
		looksOf(number).map((look) => ({ look, key: numberKey(number) })),
	);

const IN_LEDGER = '!';
/** So many people of earlier rounds are remembered, the last ones, and so many names of each that find no one. */
const MAX_SEEN = 10_000;
const MAX_OTHERS = 20;
const BARS = '>';
const BETWEEN = /[ >]/;
const LOOK = '~';

/** A name in the ledger, in which no numbers stand. */
const hidden = (name: string): string =>
	(isLook(name) ? LOOK : '#') + hash('sha256', name, 'base64url').slice(0, 10);
const isHidden = (name: string): boolean => /^[#~]/.test(name);

function notesOf(rows: Rows): string[] {
	const missed = rows
		.flatMap(({ entries }) => entries.filter(({ outcome }) => outcome === MARKED))
		.map(({ content }) => content.unreadable)
		.filter((texts) => texts.length > 0 && !texts.some(showsTooLittle));
	const [alike, none] = partition(missed, (texts) => texts.flatMap(looksIn).length > 0);
	const have = ({ length }: readonly unknown[]): string =>
		`${plural(length, 'row')} marked do not call ${length === 1 ? 'has' : 'have'} no number`;
	return compact([
		alike.length > 0 &&
			`${have(alike)} that can be read. Anyone whose number it may be is left out. Correct it in the sheet`,
		none.length > 0 &&
			`${have(none)}, so another row of the same person is left out only by its Person ID. Add the number in the sheet`,
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
