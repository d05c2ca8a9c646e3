import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	ICheckProcessedContextData,
	IDataDeduplicator,
} from 'n8n-workflow';

type Data = DeduplicationItemTypes[] | DeduplicationItemTypes;

interface Stored {
	readonly mode: string;
	readonly data: Data;
}

/** A moment in which other executions can do something. */
const moment = async () => {
	for (let i = 0; i < 10; i++) await Promise.resolve();
};

/**
 * n8n's deduplication store as it is: a record per scope, which each call reads as a whole and writes as a whole after a while. The
 * first write is an insert, of which one succeeds.
 */
export class N8nStore implements IDataDeduplicator {
	readonly records = new Map<string, Stored>();
	/** Throws at a call, as a database does that fails. */
	failure: Error | undefined;

	private key(scope: string, { workflow, node }: ICheckProcessedContextData): string {
		if (!workflow.id) throw new Error('The expression evaluated to a falsy value: assert.ok(id)');
		return `${workflow.id}/${scope === 'node' ? `n:${node?.id ?? ''}` : ''}`;
	}

	private async read(key: string, mode?: string): Promise<Stored | undefined> {
		await moment();
		if (this.failure) throw this.failure;
		const record = this.records.get(key);
		if (record && mode !== undefined && record.mode !== mode)
			throw new Error('Deduplication data was originally saved with an incompatible setting');
		return record;
	}

	private async insert(key: string, record: Stored): Promise<void> {
		await moment();
		if (this.records.has(key)) throw new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed');
		this.records.set(key, record);
	}

	private async update(key: string, record: Stored): Promise<void> {
		await moment();
		if (this.records.has(key)) this.records.set(key, record);
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: 'node' | 'workflow',
		context: ICheckProcessedContextData,
		{ mode, maxEntries }: { mode: string; maxEntries?: number },
	) {
		const key = this.key(scope, context);
		const record = await this.read(key, mode);
		if (!record) {
			const data =
				mode === 'entries'
					? items.slice(-(maxEntries ?? items.length))
					: Math.max(...items.map(Number));
			await this.insert(key, { mode, data });
			return { new: items, processed: [] };
		}
		const { data } = record;
		if (!Array.isArray(data)) {
			const fresh = items.filter((item) => Number(item) > Number(data));
			await this.update(key, { mode, data: Math.max(Number(data), ...fresh.map(Number)) });
			return { new: fresh, processed: items.filter((item) => !fresh.includes(item)) };
		}
		const known = new Set(data);
		const fresh = items.filter((item) => !known.has(item));
		await this.update(key, { mode, data: [...data, ...fresh].slice(-(maxEntries ?? Infinity)) });
		return { new: fresh, processed: items.filter((item) => known.has(item)) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: 'node' | 'workflow',
		context: ICheckProcessedContextData,
	) {
		const key = this.key(scope, context);
		const record = await this.read(key);
		if (!record || !Array.isArray(record.data)) return;
		const gone = new Set(items);
		await this.update(key, { ...record, data: record.data.filter((item) => !gone.has(item)) });
	}

	async clearAllProcessedItems(scope: 'node' | 'workflow', context: ICheckProcessedContextData) {
		const key = this.key(scope, context);
		await this.read(key);
		this.records.delete(key);
	}

	async getProcessedDataCount(scope: 'node' | 'workflow', context: ICheckProcessedContextData) {
		const record = await this.read(this.key(scope, context));
		return Array.isArray(record?.data) ? record.data.length : 0;
	}
}

let current = new N8nStore();
let isUsed = false;

const service: IDataDeduplicator = {
	checkProcessedAndRecord: async (...all) => await current.checkProcessedAndRecord(...all),
	removeProcessed: async (items, scope, context) =>
		await current.removeProcessed(items, scope, context),
	clearAllProcessedItems: async (scope, context) =>
		await current.clearAllProcessedItems(scope, context),
	getProcessedDataCount: async (scope, context) =>
		await current.getProcessedDataCount(scope, context),
};

/** Gives n8n's engine an empty store; what an earlier one holds is gone. */
export async function useN8nStore(store = new N8nStore()): Promise<N8nStore> {
	current = store;
	if (!isUsed) await DataDeduplicationService.init(service);
	isUsed = true;
	return store;
}
