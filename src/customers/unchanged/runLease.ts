import difference from 'lodash/difference';
import range from 'lodash/range';
import union from 'lodash/union';
import type { DedupeStore } from '../../core/dedupeStore';
import type { OperationContext } from '../../core/operation';
import type { Result } from '../../core/result';
import { MAX_ATTEMPTS, MAX_RETRY_AFTER_MS } from '../../core/retry';

/** A run that sends leaves a sign of life every ten minutes. */
const SLOT_MS = 600_000;
/** How many runs may be cut off in a row and are still found. */
const WINDOW = 256;

const runName = (number: number): string => `sync:run:${number}`;
const runsFrom = (first: number): string[] => range(first, first + WINDOW).map(runName);
const slotName = (slot: number): string => `sync:busy:${slot}`;
/** Says that a run began while another one was sending, whose number it may not know; one that begins alone takes it away. */
const OVERLAP = 'sync:overlap';
/** Stands there while a run asks: what was recorded by one that was cut off meanwhile says nothing. */
const ASKING = 'sync:asking';

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
		/**
		 * Looks whether no other run sends, or was cut off a moment ago, and whether none has sent anything since the one whose number
		 * was saved. Becomes the latest itself if it sends.
		 */
		begin: async (sends: (isLatest: boolean) => boolean) => {
			const slot = slotNow();
			const runs = runsFrom(last);
			// The clock of another worker may be ahead.
			const busy = range(slot - reach, slot + 2).map(slotName);
			return await exchange(store, [...runs, ...busy], (present, isCutOff) => {
				const latest = runs.findLastIndex((name) => present.has(name));
				const isLatest = latest === 0 && !isCutOff;
				isAlone = !busy.some((name) => present.has(name));
				const found = { isAlone, isLatest };
				if (!sends(isLatest)) return { found };
				number = last + Math.max(latest, 0) + 1;
				signs = [slot];
				const add = [runName(number), slotName(slot), ...(isAlone ? [] : [OVERLAP])];
				return { found, add, remove: [...runs, OVERLAP] };
			});
		},
		/** Called before each request: leaves a sign of life. */
		renew: async (): Promise<void> => {
			const slot = slotNow();
			if (number === undefined || slot === signs.at(-1)) return;
			noteLapse();
			signs = [...signs, slot];
			const renewed = await store.alone(async (names) => await names.record([slotName(slot)]));
			isLapsed ||= !renewed.ok;
		},
		/** Says whether no other run sent anything meanwhile; otherwise no run counts as the latest. */
		end: async (): Promise<boolean> => {
			if (number === undefined) return true;
			noteLapse();
			const own = runName(number);
			// A run that no one knew about spoils what later ones recorded.
			const later = isLapsed ? runsFrom(number) : [own];
			const ended = await exchange(store, [...later, OVERLAP], (present) => {
				const found = isAlone && !isLapsed && present.has(own) && !present.has(OVERLAP);
				return { found, remove: found ? signs.map(slotName) : later };
			});
			return ended.ok && ended.value;
		},
		/** The number of this run, or of the last one where this one sent nothing. */
		number: (): number => number ?? last,
	};
}

/** Asks which of some names are there, and changes the store by that; names that one left who was cut off stay until a run sends. */
const exchange = async <T>(
	store: DedupeStore,
	tests: readonly string[],
	decide: (
		present: ReadonlySet<string>,
		isCutOff: boolean,
	) => { found: T; add?: string[]; remove?: string[] },
): Promise<Result<T, string>> =>
	await store.alone(async (names) => {
		const present = await names.record([ASKING, ...tests]);
		const isCutOff = present.has(ASKING);
		const { found, add = [], remove = [] } = decide(present, isCutOff);
		await names.record(difference(add, tests));
		const asked = tests.filter((name) => !present.has(name));
		const gone = difference(union(asked, remove), add);
		await names.remove(isCutOff && add.length === 0 ? gone : [...gone, ASKING]);
		return found;
	});
