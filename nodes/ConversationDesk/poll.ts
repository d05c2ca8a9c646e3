import { attempt, cloneDeep, get, isError } from 'lodash';
import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import { createClient } from '../../src/core/client';
import type { Label } from '../../src/core/describeFailure';
import type { NotFoundError } from '../../src/core/failures';
import { isRecord } from '../../src/core/json';
import { fail } from '../../src/core/result';
import type { PollContext } from '../../src/tickets/trigger/input';
import { poll, readSample } from '../../src/tickets/trigger/poll';
import { ticketTrigger } from './descriptions/ticketTrigger';
import { rejectMissingValue } from './emptyParts';
import { findParts, isExpression, listLeaves } from './enteredParameters';
import { createFailureError } from './errors';
import { createLabeler } from './labels';
import { toReadProblem } from './parameters';
import { hasCondition, hasDefault, listReferences } from './references';
import { connect, type Connected } from './transport';

/** Max ms per poll if n8n sets no limit. */
const BUDGET_MS = 240_000;

/** The key of the trigger's state in the static data of its node. */
const WATERMARK_KEY = 'watermark';

/** Runs a poll; null without new tickets. A manual test returns the newest ticket, and leaves the state unchanged. */
export async function runPoll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const label = createLabeler(ticketTrigger, () => context.getNode().parameters);
	const parameters = readPollParameters(context, label);
	const isTest = context.getMode() === 'manual';
	const runtime = await connect(context);
	const reading = runtime.ok
		? await (isTest ? readSample : poll)(parameters, createPollContext(context, runtime.value))
		: runtime;
	const result = isTest && reading.ok && reading.value.length === 0 ? fail(NO_TICKET) : reading;
	if (!result.ok) throw createFailureError(context.getNode(), result.failure, label);
	if (result.value.length === 0) return null;
	return [result.value.map((json) => ({ json: json as INodeExecutionData['json'] }))];
}

const NO_TICKET: NotFoundError = {
	kind: 'notFound',
	message: 'No ticket matches yet',
	advice: 'Remove some conditions, or make the event happen to a ticket and test again',
};

/** Reads the parameters that the panel shows. Throws the error of an expression. */
function readPollParameters(context: IPollFunctions, label: Label): Record<string, unknown> {
	const node = context.getNode();
	const names = ticketTrigger.map(({ name }) => name).filter((name) => name in node.parameters);
	const read = names.map((name) => {
		const value: unknown = attempt(() => readPollParameter(context, name));
		if (!isError(value)) return [name, value ?? undefined] as const; // Null would not become a default.
		const failure = { kind: 'input', problems: [toReadProblem([name], value)] } as const;
		throw createFailureError(node, failure, label);
	});
	return Object.fromEntries(read);
}

/** Reads a parameter. Throws if an expression is within a text, lacks a value, or may have lacked data. */
function readPollParameter(context: IPollFunctions, name: string): unknown {
	const read = { [name]: context.getNodeParameter(name, null) };
	for (const { path, leaf } of listLeaves(context.getNode().parameters[name], [name])) {
		if (!isExpression(leaf)) continue;
		// A poll cannot evaluate a part of a text to find out whether it is empty.
		const [within] = findParts(leaf);
		if (within) throw new Error(`${within.part} ${WITHIN_TEXT}`);
		const unsafe = listReferences(leaf).find((reference) => mayLackData(leaf, reference));
		if (unsafe !== undefined) throw new Error(`${unsafe} ${WITHIN_CALCULATION}`);
		rejectMissingValue(get(read, path), leaf);
	}
	return read[name];
}

/** Whether a calculation may give a value though a reference in it is empty, which a poll cannot evaluate alone. */
const mayLackData = (leaf: string, reference: string): boolean =>
	leaf !== `=${reference}` && // The whole value is checked itself.
	!/\$(now|today)\b/.test(reference) &&
	!hasCondition(leaf, reference) &&
	!hasDefault(leaf, reference);

const WITHIN_TEXT =
	"is within a text. In a trigger, write one expression for the whole value, e.g. {{ 'ORD-' + ($vars.order ?? 'none') }}";
const WITHIN_CALCULATION =
	'is within a calculation. In a trigger, provide for an empty value, e.g. {{ $now.minus({ days: $vars.days ?? 7 }) }}';

/** Gives a poll its client, clock, node settings and saved state, and a way to warn the user. */
function createPollContext(context: IPollFunctions, runtime: Connected): PollContext {
	const nodeData: unknown = context.getWorkflowStaticData('node');
	const isDamaged = !isRecord(nodeData);
	// Nothing can be saved in damaged data of the node, so the state is kept with the workflow.
	const state = context.getWorkflowStaticData(isDamaged ? 'global' : 'node');
	// Older versions of n8n set no limit to a poll.
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : BUDGET_MS;
	return {
		client: createClient(runtime),
		zone: context.getTimezone(),
		now: Date.now,
		budgetMs,
		entered: context.getNode().parameters,
		service: runtime.account,
		// A copy, because the poll and n8n must not change each other's data. Until the first save, the poll gets and reports damaged data.
		load: () => cloneDeep(isDamaged ? (state[WATERMARK_KEY] ?? nodeData) : state[WATERMARK_KEY]),
		save: (watermark) => {
			state[WATERMARK_KEY] = watermark;
		},
		report: (message) => {
			const details = { level: 'warning' as const }; // The poll continues after it.
			context.__emitError(new NodeOperationError(context.getNode(), message, details));
		},
	};
}
