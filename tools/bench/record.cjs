// Loaded into n8n as an external hook: writes how long each node of an execution took, how many items came out, and for how long
// the main thread was busy at most.
const { appendFileSync } = require('node:fs');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const file = process.env.CONVERSATION_DESK_BENCH_RECORD;

/** How long n8n's main thread is busy at a stretch. */
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

/** What the benchmark needs of one node. */
function nodeFacts([run]) {
	return {
		ms: run.executionTime,
		items: run.data?.main?.[0]?.length ?? 0,
		status: run.executionStatus,
		...(run.error && { error: run.error.message }),
	};
}

module.exports = {
	workflow: {
		preExecute: [async () => delay.reset()],
		postExecute: [
			async (run, _workflow, executionId) => {
				const nodes = Object.entries(run?.data?.resultData?.runData ?? {});
				const facts = nodes.map(([name, runs]) => [name, nodeFacts(runs)]);
				const error = run?.data?.resultData?.error?.message;
				const line = {
					executionId,
					status: run?.status,
					error,
					nodes: Object.fromEntries(facts),
					blockedMs: delay.max / 1e6,
				};
				if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
			},
		],
	},
};
