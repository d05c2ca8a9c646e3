import { DataDeduplicationService } from 'n8n-core';
import { MemoryDedupeStore } from './dedupeStore';

let isUsed = false;

/** Gives n8n's engine an empty store instead of an earlier one. */
export async function useN8nStore(store = new MemoryDedupeStore()): Promise<MemoryDedupeStore> {
	// n8n takes one only.
	if (isUsed) Object.assign(DataDeduplicationService.getInstance(), { deduplicator: store });
	else await DataDeduplicationService.init(store);
	isUsed = true;
	return store;
}
