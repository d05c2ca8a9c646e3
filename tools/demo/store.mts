import type {
	DeduplicationItemTypes,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
} from 'n8n-workflow';

type Scope = 'node' | 'workflow';
type Values = DeduplicationItemTypes[];

/** n8n's store of processed data, in memory: an n8n without a database has none. */
export class MemoryStore implements IDataDeduplicator {
	private readonly entries = new Map<string, Values>();
	private readonly latest = new Map<string, number>();

	async checkProcessedAndRecord(
		items: Values,
		scope: Scope,
		context: ICheckProcessedContextData,
		{ mode }: ICheckProcessedOptions,
	) {
		const key = keyOf(scope, context);
		const isNew = mode === 'entries' ? this.addEntries(key, items) : this.raiseLatest(key, items);
		return { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
	}

	async removeProcessed(items: Values, scope: Scope, context: ICheckProcessedContextData) {
		const key = keyOf(scope, context);
		const left = (this.entries.get(key) ?? []).filter((entry) => !items.includes(entry));
		this.entries.set(key, left);
	}

	async clearAllProcessedItems(scope: Scope, context: ICheckProcessedContextData) {
		this.entries.delete(keyOf(scope, context));
		this.latest.delete(keyOf(scope, context));
	}

	async getProcessedDataCount(scope: Scope, context: ICheckProcessedContextData) {
		return this.entries.get(keyOf(scope, context))?.length ?? 0;
	}

	/** Adds entries, and returns whether an item was not among them before. */
	private addEntries(key: string, items: Values) {
		const before = new Set(this.entries.get(key));
		this.entries.set(key, [...before.union(new Set(items))]);
		return (item: DeduplicationItemTypes) => !before.has(item);
	}

	/** Raises the latest value, and returns whether an item is above the one before. */
	private raiseLatest(key: string, items: Values) {
		const before = this.latest.get(key) ?? -Infinity;
		this.latest.set(key, Math.max(before, ...items.map(Number)));
		return (item: DeduplicationItemTypes) => Number(item) > before;
	}
}

/** The name of a record: one per workflow, or one per node. */
const keyOf = (scope: Scope, { workflow, node }: ICheckProcessedContextData): string =>
	[workflow.id, ...(scope === 'node' ? [node?.id] : [])].join('/');
