// Loaded into n8n as an external hook: writes how long each node of an execution took, and how many items came out.
const { appendFileSync } = require('node:fs');

const file = process.env.CONVERSATION_DESK_BENCH_RECORD;

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
		postExecute: [
			async (run, _workflow, executionId) => {
				const nodes = Object.entries(run?.data?.resultData?.runData ?? {});
				const facts = nodes.map(([name, runs]) => [name, nodeFacts(runs)]);
				const error = run?.data?.resultData?.error?.message;
				const line = { executionId, status: run?.status, error, nodes: Object.fromEntries(facts) };
				if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
			},
		],
	},
};
