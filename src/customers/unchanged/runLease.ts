import { randomInt } from 'crypto';
import { difference, range, sum, times, union } from 'lodash';
import type { DedupeStore } from '../../core/dedupeStore';
import type { OperationContext } from '../../core/operation';
import type { Result } from '../../core/result';
import { MAX_ATTEMPTS, MAX_RETRY_AFTER_MS } from '../../core/retry';

/** A sending run records a heartbeat every ten minutes. */
const SLOT_MS = 600_000;
/** One text per bit of a run number. Those that are 1 are recorded. The number is random, so an old state never matches. */
const RUN_BITS = times(32, (bit) => `sync:run:${bit}`);
/** Converts a number to the texts of its bits that are 1, because n8n's store keeps only texts. Divides, because `>>` is signed at 32 bits. */
const toRunBits = (runNumber: number): string[] =>
	RUN_BITS.filter((_, bit) => Math.floor(runNumber / 2 ** bit) % 2 === 1);
/** Returns the run number whose bits are among the recorded texts. */
const readRunNumber = (present: ReadonlySet<string>): number =>
	sum(RUN_BITS.map((text, bit) => (present.has(text) ? 2 ** bit : 0)));
/** Builds the text of a heartbeat: a run in this lane was sending in this time slot. */
const toSlotText = (slot: number, lane: number): string => `sync:busy:${slot}:${lane}`;
/** Runs at the same time use different lanes, so each can remove its own heartbeats. More runs share lane 0, which no run cleans. */
const LANES = range(4);
/** Recorded while a run reads the number, because an interrupted read leaves invalid records. */
const ASKING = 'sync:asking';

/** Distinguishes runs of one node by numbers in n8n's database, which is written immediately. */
export type RunLease = ReturnType<typeof createRunLease>;

/** Makes the lease of a run: its number and heartbeats. A state saved with number `last` is valid if no run has sent since. */
export function createRunLease(
	{ dedupeStore: store, now }: Pick<OperationContext, 'dedupeStore' | 'now'>,
	{ last, timeoutMs }: { readonly last: number; readonly timeoutMs: number },
) {
	const slotNow = () => Math.floor(now() / SLOT_MS);
	// A request may still be in progress for this time after its heartbeat.
	const staleAfterSlots =
		Math.ceil((MAX_ATTEMPTS * (timeoutMs + MAX_RETRY_AFTER_MS)) / SLOT_MS) + 1;
	let runNumber: number | undefined;
	let isAlone = false;
	let isLapsed = false;
	let lane = 0;
	let heartbeats: number[] = [];
	const toHeartbeat = (slot: number): string => toSlotText(slot, lane);

	/** Notes a pause between heartbeats that is so long that other runs may consider this run interrupted. */
	const noteLapse = (): void => {
		isLapsed ||= slotNow() - (heartbeats.at(-1) ?? 0) >= staleAfterSlots;
	};

	return {
		/** Starts the run, and returns whether it is alone, and whether the saved state is valid (`isLatest`). Takes a new number if `willSend`. */
		begin: async (willSend: (isLatest: boolean) => boolean) => {
			const slot = slotNow();
			// The clock of another worker may be ahead.
			const slots = range(slot - staleAfterSlots, slot + 2);
			const listLane = (each: number) => slots.map((one) => toSlotText(one, each));
			const busy = LANES.flatMap(listLane);
			// Only the texts under `add` stay recorded, and those present before that are not under `remove`.
			return await recordAndDecide(store, [...RUN_BITS, ...busy], (present, wasInterrupted) => {
				isAlone = !busy.some((text) => present.has(text));
				const isFree = (each: number) => !listLane(each).some((text) => present.has(text));
				lane = LANES.slice(1).find(isFree) ?? 0;
				const isKnown = !wasInterrupted && last > 0 && readRunNumber(present) === last;
				const isLatest = isAlone && isKnown;
				const answer = { isAlone, isLatest };
				if (!willSend(isLatest)) return { answer };
				// 2 ** 32 - 1 is excluded, because reading records all bits, which stay if it is interrupted.
				runNumber = randomInt(1, 2 ** 32 - 1);
				heartbeats = [slot];
				return { answer, add: [...toRunBits(runNumber), toHeartbeat(slot)], remove: RUN_BITS };
			});
		},
		/** Records a heartbeat. Called before each request. */
		renew: async (): Promise<void> => {
			const slot = slotNow();
			if (runNumber === undefined || slot === heartbeats.at(-1)) return;
			noteLapse();
			heartbeats = [...heartbeats, slot];
			const renewed = await store.alone(async (stored) => await stored.record([toHeartbeat(slot)]));
			isLapsed ||= !renewed.ok;
		},
		/** Checks that no other run has sent meanwhile. Otherwise no run counts as the latest. */
		end: async (): Promise<boolean> => {
			if (runNumber === undefined) return true;
			noteLapse();
			const ended = await recordAndDecide(store, RUN_BITS, (present) => {
				const isValid = isAlone && !isLapsed && readRunNumber(present) === runNumber;
				// After a lapse, or in the shared lane, the heartbeats may be another run's. Without a number no state is valid.
				const removed = lane === 0 || isLapsed ? [] : heartbeats.map(toHeartbeat);
				return { answer: isValid, remove: isValid ? removed : [...removed, ...RUN_BITS] };
			});
			return ended.ok && ended.value;
		},
		/** The number of this run, or of the previous one if this run sent nothing. */
		number: (): number => runNumber ?? last,
	};
}

/** Finds which texts exist by recording them, because the store cannot only read. Applies `decide`, removes other new texts. */
const recordAndDecide = async <T>(
	store: DedupeStore,
	tested: readonly string[],
	decide: (
		present: ReadonlySet<string>,
		wasInterrupted: boolean,
	) => { answer: T; add?: string[]; remove?: string[] },
): Promise<Result<T, string>> =>
	await store.alone(async (stored) => {
		const present = await stored.record([ASKING, ...tested]);
		const wasInterrupted = present.has(ASKING);
		const { answer, add = [], remove = [] } = decide(present, wasInterrupted);
		await stored.record(difference(add, tested));
		const added = tested.filter((text) => !present.has(text));
		const toRemove = difference(union(added, remove), add);
		// An interrupted read leaves all tested texts recorded. ASKING stays until a run adds texts and removes the wrong ones.
		await stored.remove(wasInterrupted && add.length === 0 ? toRemove : [...toRemove, ASKING]);
		return answer;
	});
