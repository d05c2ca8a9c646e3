import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	ICheckProcessedContextData,
	IDataDeduplicator,
} from 'n8n-workflow';
import type { Stored } from './n8nTable';
import { openTable } from './n8nTable';

/** A moment in which other executions can do something. */
const moment = async () => {
	for (let i = 0; i < 10; i++) await Promise.resolve();
};

type Scope = 'node' | 'workflow';

const keyOf = (scope: Scope, { workflow, node }: ICheckProcessedContextData): string => {
	if (!workflow.id) throw new Error('The expression evaluated to a falsy value: assert.ok(id)');
	return `${workflow.id}/${scope === 'node' ? `n:${node?.id ?? ''}` : ''}`;
};

/** n8n's deduplication store: a record per scope in its table. */
export class N8nStore implements IDataDeduplicator {
	readonly records = new Map<string, Stored>();
	/** Throws at a call, as a database does that fails. */
	failure: Error | undefined;

	private readonly table = openTable(this.records, {
		read: async () => {
			await moment();
			if (this.failure) throw this.failure;
		},
		write: moment,
	});

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: Scope,
		context: ICheckProcessedContextData,
		options: { mode: string; maxEntries?: number },
	) {
		return await this.table.check(keyOf(scope, context), items, options);
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: Scope,
		context: ICheckProcessedContextData,
	) {
		await this.table.remove(keyOf(scope, context), items);
	}

	async clearAllProcessedItems(scope: Scope, context: ICheckProcessedContextData) {
		await this.table.clear(keyOf(scope, context));
	}

	async getProcessedDataCount(scope: Scope, context: ICheckProcessedContextData) {
		return await this.table.count(keyOf(scope, context));
	}
}

let isUsed = false;

/** Gives n8n's engine an empty store; what an earlier one holds is gone. */
export async function useN8nStore(store = new N8nStore()): Promise<N8nStore> {
	// n8n takes one only.
	if (isUsed) Object.assign(DataDeduplicationService.getInstance(), { deduplicator: store });
	else await DataDeduplicationService.init(store);
	isUsed = true;
	return store;
}
