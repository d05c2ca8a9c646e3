import type {
	DeduplicationItemTypes,
	ICheckProcessedContextData,
	IDataDeduplicator,
} from 'n8n-workflow';
import type { Stored } from './dedupeTable.ts';
import { openTable } from './dedupeTable.ts';

type Scope = 'node' | 'workflow';

/** Lets other executions work. */
const passMoment = async () => {
	for (let i = 0; i < 10; i++) await Promise.resolve();
};

const keyOf = (scope: Scope, { workflow, node }: ICheckProcessedContextData): string => {
	if (!workflow.id) throw new Error('The expression evaluated to a falsy value: assert.ok(id)');
	return `${workflow.id}/${scope === 'node' ? `n:${node?.id ?? ''}` : ''}`;
};

/** n8n's deduplication store with its table in memory. */
export class MemoryDedupeStore implements IDataDeduplicator {
	readonly records = new Map<string, Stored>();
	/** The error that each call throws, as a broken database does. */
	failure: Error | undefined;

	private readonly table = openTable(this.records, {
		read: async () => {
			await passMoment();
			if (this.failure) throw this.failure;
		},
		write: passMoment,
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
