// Loaded into n8n as an external hook. Writes the figures of each node of an execution.
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { getHeapStatistics, setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const TICK_MS = 5;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

let samples = [];
let timer;

/** Samples the clock (ms), the processor time (ms) and the heap (MB) of this process. */
function takeSample() {
	const { user, system } = process.cpuUsage();
	const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
	samples.push({ at: Date.now(), cpu: (user + system) / 1_000, mb: (heap + external) / 1e6 });
}

/** Measures a node from the steps between two samples, as far as they overlap with it. */
function measureNode({ startTime, executionTime, data }) {
	const figures = { ms: executionTime, cpu: 0, stretch: 0, mb: 0 };
	for (const [index, sample] of samples.slice(1).entries()) {
		const before = samples[index];
		const from = Math.max(before.at, startTime);
		const shared = Math.min(sample.at, startTime + executionTime) - from;
		if (shared <= 0) continue;
		figures.cpu += ((sample.cpu - before.cpu) * shared) / (sample.at - before.at);
		figures.stretch = Math.max(figures.stretch, shared);
		figures.mb = Math.max(figures.mb, sample.mb - samples[0].mb);
	}
	return { ...figures, items: data?.main?.[0]?.length ?? 0 };
}

/** Begins with a clean heap, so no contender collects the garbage of another one. */
async function begin() {
	collectGarbage();
	samples = [];
	takeSample();
	timer = setInterval(takeSample, TICK_MS);
}

/** Writes one line for the execution. */
async function end(run, _workflow, executionId) {
	clearInterval(timer);
	takeSample();
	const { runData = {}, error } = run?.data?.resultData ?? {};
	const nodes = Object.entries(runData).map(([name, [first]]) => [name, measureNode(first)]);
	const line = { executionId, error: error?.message, nodes: Object.fromEntries(nodes) };
	const file = join(process.env.N8N_USER_FOLDER, 'bench.jsonl');
	appendFileSync(file, `${JSON.stringify(line)}\n`);
}

module.exports = { workflow: { preExecute: [begin], postExecute: [end] } };
