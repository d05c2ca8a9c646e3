/** A record of n8n's table of processed data. */
export interface Stored {
	readonly mode: string;
	readonly data: readonly unknown[] | number;
}

/** The steps of a call that take time, and may fail or be cut off. */
interface Steps {
	/** Runs before a record is read. */
	readonly read: () => Promise<void>;
	/** Runs before a record is written. */
	readonly write: () => Promise<void>;
	/** Runs after a record was written. */
	readonly end?: () => Promise<void>;
	/** Returns the text that the table stores for an item. */
	readonly nameOf?: (item: unknown) => unknown;
}

const listOf = (record: Stored | undefined): readonly unknown[] | undefined =>
	Array.isArray(record?.data) ? record.data : undefined;

/** Opens n8n's table: a call reads and writes a record as a whole, in separate steps, and inserts it once. */
export function openTable(
	records: Map<string, Stored>,
	{ read, write, end = async () => {}, nameOf = (item) => item }: Steps,
) {
	const find = async (key: string): Promise<Stored | undefined> => {
		await read();
		return records.get(key);
	};
	const put = async (key: string, record: Stored, isNew: boolean): Promise<void> => {
		await write();
		if (isNew && records.has(key)) throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed');
		if (isNew || records.has(key)) records.set(key, record);
		await end();
	};
	return {
		check: async <T>(
			key: string,
			items: readonly T[],
			{ mode, maxEntries = Infinity }: { mode: string; maxEntries?: number },
		): Promise<{ new: T[]; processed: T[] }> => {
			const record = await find(key);
			if (record && record.mode !== mode)
				throw new Error('Deduplication data was originally saved with an incompatible setting');
			if (mode !== 'entries') throw new Error('not modelled');
			const before = listOf(record) ?? [];
			const present = new Set(before);
			const isPresent = (item: T) => present.has(nameOf(item));
			const fresh = items.filter((item) => !isPresent(item));
			const data = [...before, ...fresh.map(nameOf)].slice(-maxEntries);
			await put(key, { mode, data }, !record);
			return { new: fresh, processed: items.filter(isPresent) };
		},
		remove: async (key: string, items: readonly unknown[]): Promise<void> => {
			const record = await find(key);
			const list = listOf(record);
			if (!record || !list) return;
			const gone = new Set(items.map(nameOf));
			await put(key, { ...record, data: list.filter((name) => !gone.has(name)) }, false);
		},
		clear: async (key: string): Promise<void> => {
			await read();
			records.delete(key);
			await end();
		},
		count: async (key: string): Promise<number> => listOf(await find(key))?.length ?? 0,
	};
}
