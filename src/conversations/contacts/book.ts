import type { DedupeStore, StoredNames } from '../../core/dedupeStore';
import type { Result } from '../../core/result';
import type { Day } from './dailyCount';
import { changeCount } from './dailyCount';
import type { CallRule, Person, PersonNames, Standing } from './personNames';
import {
	firstQuestion,
	keptNames,
	namesOf,
	secondQuestion,
	settledNames,
	standingOf,
} from './personNames';

/** How many may be called on a day, and which day it is. */
export interface DayLimit {
	readonly max: number;
	readonly day: () => Day;
}

/** What a book is kept by. */
export interface BookSettings {
	readonly rule: CallRule;
	readonly limit: DayLimit | undefined;
	readonly now: () => number;
}

/** What became of someone who was to be claimed: may be called now, with what to do once the end is known, or not. */
export type Claim = { readonly is: 'claimed'; readonly names: ClaimedNames } | Refusal;

type Refusal = { readonly is: 'called' | 'calling' | 'calledOften' | 'overDayLimit' };

/** The names that a claim wrote down, and nobody before it. */
interface ClaimedNames {
	readonly taken: readonly string[];
	readonly open: readonly string[];
	/** What was only asked. */
	readonly surplus: readonly string[];
	/** The day on which it counts. */
	readonly day: Day | undefined;
}

/** The claim of someone for whom nothing has to be written down. */
export const CLAIMED_EARLIER: Claim = {
	is: 'claimed',
	names: { taken: [], open: [], surplus: [], day: undefined },
};

/** The people of a node in n8n's own database. */
export interface Book {
	/** Writes people down as being called, except those who may not be. */
	claim(people: readonly Person[]): Promise<Result<readonly Claim[], string>>;
	/** Notes how a call ended; it is written down with the next claim, or by `flush`. */
	end(claimed: ClaimedNames, how: 'called' | 'notCalled' | 'unknown'): void;
	flush(): Promise<Result<void, string>>;
	/** How many may still be called today. */
	left(): Promise<Result<number, string>>;
	/** Says how people stand, and leaves nothing behind. */
	look(people: readonly Person[]): Promise<Result<readonly Standing[], string>>;
	/** Ends calls of which someone knows how they ended; the others stay as they are. Says how people stood before. */
	settle(people: readonly SettledPerson[]): Promise<Result<readonly Standing[], string>>;
}

/** How a call ended, as a user says. */
export type SettledAs = 'called' | 'notCalled';

interface SettledPerson {
	readonly person: Person;
	readonly how: SettledAs | undefined;
}

/** In a list that has attempts of campaigns, which are kept until somebody settles them. */
export const CAMPAIGNS = 'campaigns';

/** People that are looked up together: the store is free for others in between. */
const LOOKED_UP_AT_ONCE = 500;

/** Opens the book of a node. */
export function openBook(store: DedupeStore, { rule, limit, now }: BookSettings): Book {
	let removals: string[] = [];
	const givenBack = new Map<string, { readonly day: Day; readonly count: number }>();

	/** Writes down what has ended; what cannot be written is kept for the next time. */
	async function settle(names: StoredNames): Promise<void> {
		const settled = removals.length;
		await names.remove(openLast(removals));
		removals = removals.slice(settled);
		for (const [name, { day, count }] of givenBack) {
			givenBack.delete(name);
			await changeCount(names, day, () => -count);
		}
	}

	async function grant(names: StoredNames, wanted: number): Promise<number> {
		if (!limit || wanted === 0) return wanted;
		let granted = 0;
		await changeCount(names, limit.day(), (count) => {
			granted = Math.max(0, Math.min(wanted, limit.max - count));
			return granted;
		});
		return granted;
	}

	async function claimAll(
		names: StoredNames,
		people: readonly Person[],
	): Promise<readonly Claim[]> {
		await settle(names);
		const all = people.map((person) => namesOf(person, rule, now()));
		const asked = await ask(names, all, rule.maxAttempts === undefined ? [] : [CAMPAIGNS]);
		const free = asked.filter(({ standing }) => standing.is === 'free');
		const granted = new Set(free.slice(0, await grant(names, free.length)));
		const day = limit?.day();
		const claims = asked.map((one): Claim => {
			const { standing } = one;
			if (standing.is !== 'free') return standing;
			if (!granted.has(one)) return { is: 'overDayLimit' };
			return { is: 'claimed', names: claimedOf(one, standing.attempt, day) };
		});
		const asOther = asked.filter((one) => !granted.has(one)).flatMap(({ fresh }) => fresh);
		// A further attempt that was only asked would count as made, should this process die.
		const further = asked.flatMap((one) => (granted.has(one) ? furtherAttempts(one) : []));
		await names.remove(openLast([...asOther, ...further]));
		return claims;
	}

	/** Asks about people, and removes what was only asked, and what someone says of those who are unknown. */
	async function lookAt(
		people: readonly Person[],
		howOf: (i: number) => SettledAs | undefined,
	): Promise<Result<readonly Standing[], string>> {
		const found: Standing[] = [];
		for (let start = 0; start < people.length; start += LOOKED_UP_AT_ONCE) {
			const some = people.slice(start, start + LOOKED_UP_AT_ONCE);
			const looked = await store.alone(async (names) => {
				const asked = await ask(
					names,
					some.map((person) => namesOf(person, rule, now())),
				);
				const gone = asked.flatMap(({ fresh, settled }, i) => [
					...fresh,
					...settled(howOf(start + i)),
				]);
				await names.remove(openLast(gone));
				return asked.map(({ standing }) => standing);
			});
			if (!looked.ok) return looked;
			found.push(...looked.value);
		}
		return { ok: true, value: found };
	}

	return {
		claim: async (people) =>
			people.length === 0
				? { ok: true, value: [] }
				: await store.alone(async (names) => await claimAll(names, people)),
		end: ({ taken, open, surplus, day }, how) => {
			if (how === 'notCalled' && day)
				givenBack.set(day.name, { day, count: (givenBack.get(day.name)?.count ?? 0) + 1 });
			removals.push(...surplus);
			if (how !== 'unknown') removals.push(...open);
			if (how === 'notCalled') removals.push(...taken);
		},
		flush: async () => {
			if (removals.length + givenBack.size === 0) return { ok: true, value: undefined };
			return await store.alone(settle);
		},
		left: async () =>
			await store.alone(async (names) => {
				let left = Infinity;
				if (limit)
					await changeCount(names, limit.day(), (count) => {
						left = Math.max(0, limit.max - count);
						return 0;
					});
				return left;
			}),
		look: async (people) => await lookAt(people, () => undefined),
		settle: async (people) =>
			await lookAt(
				people.map(({ person }) => person),
				(i) => people[i]?.how,
			),
	};
}

const isOpen = (name: string): boolean => name.endsWith('?');
/** Someone is unknown while a removal is in progress, and never called. */
const openLast = (names: readonly string[]): string[] =>
	names.toSorted((a, b) => Number(isOpen(a)) - Number(isOpen(b)));

/** Someone who was asked about: how they stand, and the names that were not there before. */
interface Asked {
	readonly names: PersonNames;
	readonly standing: Standing;
	readonly fresh: readonly string[];
	/** The names to remove where a call that is open has ended. */
	readonly settled: (how: SettledAs | undefined) => readonly string[];
}

async function ask(
	store: StoredNames,
	people: readonly PersonNames[],
	marks: readonly string[] = [],
): Promise<Asked[]> {
	const first = new Set([...people.flatMap(firstQuestion), ...marks]);
	const present = new Set(await store.record([...first]));
	const more = people.flatMap((names) => secondQuestion(names, present));
	for (const name of await store.record([...new Set(more)])) present.add(name);
	return people.map((names) => {
		const asked = [...firstQuestion(names), ...secondQuestion(names, present)];
		const standing = standingOf(names, present);
		return {
			names,
			standing,
			fresh: asked.filter((name) => !present.has(name)),
			settled: (how) =>
				how && standing.is === 'calling'
					? settledNames(names, how, (name) => present.has(name))
					: [],
		};
	});
}

function furtherAttempts({ names, standing, fresh }: Asked): string[] {
	const own = standing.is === 'free' ? standing.attempt : 0;
	return names.attempts.slice(own).filter((name) => fresh.includes(name));
}

function claimedOf({ names, fresh }: Asked, attempt: number, day: Day | undefined): ClaimedNames {
	const kept = keptNames(names, attempt);
	const isFresh = (name: string): boolean => fresh.includes(name);
	return {
		taken: kept.taken.filter(isFresh),
		open: kept.open.filter(isFresh),
		surplus: fresh.filter(
			(name) =>
				!kept.taken.includes(name) && !kept.open.includes(name) && !names.attempts.includes(name),
		),
		day,
	};
}
