import { parse } from 'flatted';

export type Json = Record<string, unknown>;

export interface ExecutionItem {
	json: Json;
	binary?: Record<string, unknown>;
	pairedItem?: unknown;
	error?: unknown;
}

export interface NodeError {
	message: string;
	description?: string | null;
	[other: string]: unknown;
}

export interface NodeRun {
	executionStatus: string;
	executionTime: number;
	error?: NodeError;
	hints?: Array<{ message: string }>;
	/** One list of items for each output, or null. */
	data?: { main: Array<ExecutionItem[] | null> };
}

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
	startedAt: string | null;
	stoppedAt: string | null;
	retryOf?: string | null;
	retrySuccessId?: string | null;
}

export interface Execution extends ExecutionSummary {
	data: { resultData: { runData: Record<string, NodeRun[]>; error?: NodeError } };
}

/** Decodes the run data of an execution as n8n's REST interface returns it. */
export function decodeExecution(raw: ExecutionSummary & { data: unknown }): Execution {
	const data = typeof raw.data === 'string' ? (parse(raw.data) as unknown) : raw.data;
	const { resultData } = (data ?? {}) as Partial<Execution['data']>;
	return { ...raw, data: { resultData: { ...resultData, runData: resultData?.runData ?? {} } } };
}

/** Returns every run of a node in an execution; a loop has several. */
export function runsOf(execution: Execution, nodeName: string): NodeRun[] {
	return execution.data.resultData.runData[nodeName] ?? [];
}

/** Returns the JSON of all items of one output of a node, over all its runs. */
export function itemsOf(execution: Execution, nodeName: string, output = 0): Json[] {
	return runsOf(execution, nodeName)
		.flatMap((run) => run.data?.main[output] ?? [])
		.map((item) => item.json);
}

/** Returns the hints that the editor shows below a node's output. */
export function hintsOf(execution: Execution, nodeName: string): string[] {
	return runsOf(execution, nodeName)
		.flatMap((run) => run.hints ?? [])
		.map((hint) => hint.message);
}

/** Returns the error that ended an execution, if there is one. */
export function errorOf(execution: Execution): NodeError | undefined {
	return execution.data.resultData.error;
}
