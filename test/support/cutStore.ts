import type { DedupeStore } from '../../src/core/dedupeStore';

/** Where work on a store ends: at its n-th call from 1, before that does anything or after. A long removal goes in parts: it may end between. */
export interface Cut {
	readonly at: number;
	readonly isDone: boolean;
	/** The share of a removal that is done before it is cut off. */
	readonly share?: number;
}

/** A store of which a process is cut off, as by a kill or an error of the database; what it did until then stays. */
export function cutStore(store: DedupeStore, { at, isDone, share = 0 }: Cut): DedupeStore {
	let calls = 0;
	const pass = async <T>(call: () => Promise<T>): Promise<T> => {
		calls += 1;
		const own = calls;
		if (own > at || (own === at && !isDone)) throw new Error('cut off');
		const result = await call();
		if (own === at) throw new Error('cut off');
		return result;
	};
	return {
		isSaved: store.isSaved,
		size: store.size,
		alone: async (work) =>
			await store.alone(
				async ({ record, remove }) =>
					await work({
						record: async (texts) => await pass(async () => await record(texts)),
						remove: async (texts) => {
							if (calls + 1 === at && !isDone)
								await remove(texts.slice(0, Math.floor(share * texts.length)));
							await pass(async () => await remove(texts));
						},
					}),
			),
	};
}
