import type { OperationContext } from '../../core/operation';
import type { DedupeStore } from '../../core/dedupeStore';
import type { Result } from '../../core/result';
import { ok } from '../../core/result';
import { MAX_ATTEMPTS, MAX_RETRY_AFTER_MS } from '../../core/retry';

/** A run that sends leaves a sign of life every ten minutes. */
const SLOT_MS = 600_000;
/** How many runs may be cut off in a row and are still found. */
const WINDOW = 256;

/** What a run finds when it begins. */
export interface Begun {
	/** Whether no other run sends, or was cut off a moment ago. */
	readonly isAlone: boolean;
	/** Whether no run has sent anything since the one whose number was saved. */
	readonly isLatest: boolean;
}

const runName = (number: number): string => `sync:run:${number}`;
const slotName = (slot: number): string => `sync:busy:${slot}`;
const range = (first: number, count: number): number[] =>
	Array.from({ length: count }, (_, i) => first + i);

/** Tells runs of one node apart by numbers in n8n's own database, which is written at once. */
export type RunLease = ReturnType<typeof createRunLease>;

/** Makes the lease of a run after the one whose number was saved. */
export function createRunLease(
	{ dedupeStore: store, now }: Pick<OperationContext, 'dedupeStore' | 'now'>,
	{ last, timeoutMs }: { readonly last: number; readonly timeoutMs: number },
) {
	const slotNow = () => Math.floor(now() / SLOT_MS);
	// A request may be in flight for so long after the sign of life before it.
	const reach = Math.ceil((MAX_ATTEMPTS * (timeoutMs + MAX_RETRY_AFTER_MS)) / SLOT_MS) + 1;
	let number: number | undefined;
	let isAlone = false;
	let isLapsed = false;
	let signs: number[] = [];

	/** Whether others may have taken this run for one that was cut off. */
	const noteLapse = (): void => {
		isLapsed ||= slotNow() - (signs.at(-1) ?? 0) >= reach;
	};

	return {
		/** Looks which run is the latest, and becomes the latest itself if it sends. */
		begin: async (sends: (isLatest: boolean) => boolean): Promise<Result<Begun, string>> => {
			const slot = slotNow();
			const runs = range(last, WINDOW).map(runName);
			// The clock of another worker may be ahead.
			const busy = range(slot - reach, reach + 2).map(slotName);
			let isLatest = false;
			const decide = (present: ReadonlySet<string>) => {
				const latest = runs.findLastIndex((name) => present.has(name));
				isAlone = !busy.some((name) => present.has(name));
				isLatest = latest === 0;
				if (!sends(isLatest)) return {};
				number = last + Math.max(latest, 0) + 1;
				signs = [slot];
				const remove = runs.filter((name) => present.has(name));
				return { add: [runName(number), slotName(slot)], remove };
			};
			const exchanged = await exchange(store, [...runs, ...busy], decide);
			return exchanged.ok ? ok({ isAlone, isLatest }) : exchanged;
		},
		/** Called before each request: leaves a sign of life. */
		renew: async (): Promise<void> => {
			const slot = slotNow();
			if (number === undefined || slot === signs.at(-1)) return;
			noteLapse();
			signs = [...signs, slot];
			const renewed = await exchange(store, [], () => ({ add: [slotName(slot)] }));
			isLapsed ||= !renewed.ok;
		},
		/** Says whether no other run sent anything meanwhile; otherwise no run counts as the latest. */
		end: async (): Promise<boolean> => {
			if (number === undefined) return true;
			noteLapse();
			const own = number;
			// A run that no one knew about spoils what later ones recorded.
			const later = isLapsed ? range(own, WINDOW).map(runName) : [runName(own)];
			let isValid = false;
			const decide = (present: ReadonlySet<string>) => {
				isValid = isAlone && present.has(runName(own));
				return { remove: isValid ? signs.map(slotName) : later };
			};
			const ended = await exchange(store, later, decide);
			return ended.ok && isValid;
		},
		/** The number of this run, or of the last one where this one sent nothing. */
		number: (): number => number ?? last,
	};
}

/** What to change in the store, by what is there. */
interface Change {
	readonly add?: readonly string[];
	readonly remove?: readonly string[];
}

/** Asks which of some names are there, and changes the store by that. */
async function exchange(
	store: DedupeStore,
	tests: readonly string[],
	decide: (present: ReadonlySet<string>) => Change,
): Promise<Result<void, string>> {
	return await store.alone(async (names) => {
		const present = await names.record(tests);
		const { add = [], remove = [] } = decide(present);
		const stays = new Set(add);
		const asked = tests.filter((name) => !present.has(name) && !stays.has(name));
		await names.record(add.filter((name) => !tests.includes(name)));
		await names.remove([...new Set([...asked, ...remove])]);
	});
}
