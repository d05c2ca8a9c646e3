import { get, has, memoize } from 'lodash';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { createClient } from '../../src/core/client';
import { createLimiter, type RunInTurn } from '../../src/core/concurrency';
import type { Failure } from '../../src/core/failures';
import { failAllRows } from '../../src/core/operation';
import type { Operation, OperationContext, Run } from '../../src/core/operation';
import { catchFailure } from '../../src/core/result';
import { operations } from '../../src/operations';
import { createHints, isTool, toRunError } from './errors';
import { toItems } from './items';
import { createLabeler } from './labels';
import { openDedupeStore } from './dedupeStore';
import { readRowParameters, readSettings } from './parameters';
import { connect, findCredentialFault, type Connected } from './transport';

/** The parameters of each operation: resource, then operation, by the names in the registry. */
export type Parameters = Readonly<Record<string, Readonly<Record<string, INodeProperties[]>>>>;

/** Runs the chosen operation, adds its hints and returns its items. Throws for a failed row, unless the node continues. */
export async function execute(
	context: IExecuteFunctions,
	parameters: Parameters,
): Promise<INodeExecutionData[]> {
	const chosen = ['resource', 'operation'].map((name) =>
		String(context.getNodeParameter(name, 0, '')),
	);
	const operation = has(operations, chosen) ? (get(operations, chosen) as Operation) : undefined;
	const properties = operation ? (get(parameters, chosen) as INodeProperties[]) : [];
	const run = await runOperation(context, operation);
	const label = createLabeler(properties, () => context.getNode().parameters);
	if (!context.continueOnFail()) {
		const error = toRunError(context.getNode(), run, label);
		if (error) throw error;
	}
	for (const hint of createHints(run, label)) context.addExecutionHints(hint);
	await sleep(0); // n8n serves other requests meanwhile.
	return toItems(context, run, label);
}

const UNKNOWN_OPERATION: Failure = {
	kind: 'input',
	problems: [{ path: ['operation'], reason: 'is not known. Choose a resource and an operation' }],
};

/** Runs an operation. Returns errors as failures, because n8n may return the input of a throwing node as success. */
async function runOperation(context: IExecuteFunctions, operation?: Operation): Promise<Run> {
	const { length } = context.getInputData();
	if (!operation) return failAllRows(length, UNKNOWN_OPERATION);
	const connected = await connect(context, operation.needs);
	if (!connected.ok) return failAllRows(length, connected.failure, operation.unsent);
	const credentialFault = await findCredentialFault(context);
	if (credentialFault) return failAllRows(length, credentialFault, operation.unsent);
	let hasSent = false;
	const send: Connected['send'] = async (request) => {
		hasSent = true;
		return await connected.value.send(request);
	};
	const run = await catchFailure(async () => {
		const host = createContext(context, { ...connected.value, send });
		const settings = await readSettings(context, operation.parameters, host);
		const rows = readRowParameters(context, operation.parameters);
		return await operation.run({ settings, rows, count: length }, host);
	});
	return run.ok ? run.value : failUnexpectedly(length, { reason: run.failure, hasSent });
}

/** Makes the result of a run that a bug has ended. After a request, any row may have been sent. */
function failUnexpectedly(
	count: number,
	{ reason, hasSent }: { readonly reason: string; readonly hasSent: boolean },
): Run {
	const outcome = hasSent ? 'unknown' : 'notSent';
	const code = hasSent ? 'unknown' : 'stopped';
	const message = hasSent
		? `The node failed unexpectedly (${reason}), so it is unknown whether this row was sent. Check in the service, and report this to the maintainers of the node`
		: `The node failed unexpectedly (${reason}). Nothing was sent. Report this to the maintainers of the node`;
	return failAllRows(count, { kind: 'held', message }, { outcome, code }); // No row is at fault.
}

/** Builds the context of an operation. Its ledger is an object in the data that n8n keeps for the node. */
function createContext(context: IExecuteFunctions, runtime: Connected): OperationContext {
	const { now, random, signal } = runtime;
	const nodeData = context.getContext('node') as { ledger?: Record<string, unknown> };
	return {
		client: createClient(runtime),
		zone: context.getTimezone(),
		now,
		sleep: runtime.sleep,
		signal,
		account: JSON.stringify(runtime.account),
		// A later round of a loop may send again. n8n counts the tries of a tool as rounds, so a tool stays in the first.
		round: isTool(context.getNode())
			? 0
			: Number(context.getWorkflowDataProxy(0)['$runIndex']) || 0,
		// The context of a node survives Retry On Fail and the retry of a saved execution.
		ledger: (nodeData.ledger ??= {}),
		failsAsWhole: !context.continueOnFail(),
		// Parallel calls of a tool share `nodeData`, and so the ledger.
		inTurn: getTurns(nodeData),
		// With n8n's own sleep, because writes are completed even when the user stops the workflow.
		dedupeStore: openDedupeStore(context, { now, random, sleep }),
	};
}

/** Returns the queue of an execution's runs, one at a time. A WeakMap releases it with the execution's data. */
const getTurns: (nodeData: object) => RunInTurn = Object.assign(
	memoize(() => createLimiter({ limit: 1 })),
	{ cache: new WeakMap<object, RunInTurn>() },
);
