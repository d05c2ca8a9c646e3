import type { WorkflowNode } from '../host/workflow.mts';
import { cpuTime } from './cpuTime.mts';
import type { BenchHost } from './host.mts';
import { names } from './nodes.mts';
import type { Contender, Figures } from './rounds.mts';
import type { BenchService } from './service.mts';

/** Work that a workflow does in n8n: the nodes whose times count, and the items that have to come out of the last one. */
export interface Task {
	readonly name: string;
	readonly nodes: readonly WorkflowNode[];
	readonly timed: readonly string[];
	readonly items: number;
	readonly latency: number;
	/** Entries that the list of people of the node holds before it runs. */
	readonly entries?: number;
}

/** A contender that runs a workflow in n8n, a new one each time; its time is that of the nodes that do the work. */
export function inN8n(
	{ host, service }: { host: BenchHost; service: BenchService },
	task: Task,
): Contender {
	return {
		name: task.name,
		run: async () => {
			const id = await host.store(task.name, task.nodes);
			if (task.entries !== undefined) host.fillStore(id, names.ours, task.entries);
			await service.prepare(task.latency);
			const before = { cpu: host.cpu(), serviceCpu: service.cpu() };
			const { nodes, blockedMs: blocked } = await host.run(id);
			const cpu = host.cpu() - before.cpu;
			const serviceCpu = service.cpu() - before.serviceCpu;
			const last = nodes[task.timed.at(-1) ?? ''];
			if (last?.items !== task.items)
				throw new Error(`${task.name}: ${last?.items} items instead of ${task.items}`);
			const ms = task.timed.reduce((sum, name) => sum + (nodes[name]?.ms ?? NaN), 0);
			return { ms, requests: (await service.counts()).total, cpu, serviceCpu, blocked };
		},
	};
}

/** A contender without n8n. */
export const bare = (
	name: string,
	{ service, latency }: { service: BenchService; latency: number },
	work: () => Promise<unknown>,
): Contender => ({
	name,
	run: async (): Promise<Figures> => {
		await service.prepare(latency);
		const before = { cpu: cpuTime(process.pid), serviceCpu: service.cpu() };
		const start = performance.now();
		await work();
		const ms = performance.now() - start;
		const cpu = cpuTime(process.pid) - before.cpu;
		const serviceCpu = service.cpu() - before.serviceCpu;
		return { ms, requests: (await service.counts()).total, cpu, serviceCpu };
	},
});
