// Loaded into n8n as an external hook. Writes the figures of the nodes after the node Rows.
const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const { getHeapStatistics, setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

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

/** Measures the time between two moments from the steps between two samples. */
function measure(start, end) {
	const figures = { ms: end - start, cpu: 0, stretch: 0, mb: 0 };
	for (const [index, sample] of samples.slice(1).entries()) {
		const before = samples[index];
		const shared = Math.min(sample.at, end) - Math.max(before.at, start);
		if (shared <= 0) continue;
		figures.cpu += ((sample.cpu - before.cpu) * shared) / (sample.at - before.at);
		figures.stretch = Math.max(figures.stretch, shared);
		figures.mb = Math.max(figures.mb, sample.mb - samples[0].mb);
	}
	return { ...figures, cpu: Math.round(figures.cpu), mb: Math.round(figures.mb) };
}

/** Begins with a clean heap, so no contender collects the garbage of another one. */
async function begin() {
	collectGarbage();
	samples = [];
	takeSample();
	timer = setInterval(takeSample, 5);
}

const endOf = (run) => run.startTime + run.executionTime;

/** Writes one line for the execution. */
async function end({ data }, _workflow, executionId) {
	clearInterval(timer);
	takeSample();
	const { runData, error } = data.resultData;
	const [last] = Object.values(runData).at(-1) ?? [];
	const line = { executionId, error: error?.message };
	if (runData.Rows) line.figures = measure(endOf(runData.Rows[0]), endOf(last));
	line.items = last?.data?.main[0]?.length ?? 0;
	const file = join(process.env.N8N_USER_FOLDER, 'bench.jsonl');
	appendFileSync(file, `${JSON.stringify(line)}\n`);
}

module.exports = { workflow: { preExecute: [begin], postExecute: [end] } };
