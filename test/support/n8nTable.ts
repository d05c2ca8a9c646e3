/** A record of n8n's table of processed data. */
export interface Stored {
	readonly mode: string;
	readonly data: readonly unknown[] | number;
}

/** What takes time in a call, and may fail or be cut off there. */
interface Steps {
	/** Before a record is read. */
	readonly read: () => Promise<void>;
	/** Before one is written. */
	readonly write: () => Promise<void>;
	/** After that. */
	readonly end?: () => Promise<void>;
	/** How the table writes a name. */
	readonly nameOf?: (item: unknown) => unknown;
}

const listIn = (record: Stored | undefined): readonly unknown[] | undefined =>
	Array.isArray(record?.data) ? record.data : undefined;

/** The calls to n8n's table: each reads a record as a whole and writes it as a whole, in separate steps. The first write is an insert, of which one succeeds. */
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
			const found = await find(key);
			if (found && found.mode !== mode)
				throw new Error('Deduplication data was originally saved with an incompatible setting');
			if (mode !== 'entries') throw new Error('not modelled');
			const before = listIn(found) ?? [];
			const known = new Set(before);
			const isKnown = (item: T) => known.has(nameOf(item));
			const fresh = items.filter((item) => !isKnown(item));
			const data = [...before, ...fresh.map(nameOf)].slice(-maxEntries);
			await put(key, { mode, data }, !found);
			return { new: fresh, processed: items.filter(isKnown) };
		},
		remove: async (key: string, items: readonly unknown[]): Promise<void> => {
			const found = await find(key);
			const list = listIn(found);
			if (!found || !list) return;
			const gone = new Set(items.map(nameOf));
			await put(key, { ...found, data: list.filter((name) => !gone.has(name)) }, false);
		},
		clear: async (key: string): Promise<void> => {
			await read();
			records.delete(key);
			await end();
		},
		count: async (key: string): Promise<number> => listIn(await find(key))?.length ?? 0,
	};
}
