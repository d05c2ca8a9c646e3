import cloneDeep from 'lodash/cloneDeep';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { createClient } from '../../src/core/client';
import type { NotFoundError } from '../../src/core/failures';
import { fail } from '../../src/core/result';
import { sample } from '../../src/tickets/watch/newest';
import { poll } from '../../src/tickets/watch/poll';
import type { PollPost } from '../../src/tickets/watch/poll';
import { ticketTrigger } from './descriptions/ticketTrigger';
import { pollError } from './errors';
import { labelIn } from './labels';
import { connect } from './transport';

/** Ms that a poll may take where n8n does not say. */
const BUDGET = 240_000;

/** Where the state of a trigger stands among the static data of its node. */
const STATE = 'watermark';

/** Runs a poll of the trigger; a manual test shows the newest tickets instead, and moves nothing. */
export async function pollTickets(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const parameters = parametersOf(context);
	const isTest = context.getMode() === 'manual';
	const world = await connect(context);
	const found = world.ok
		? await (isTest ? sample : poll)(parameters, postOf(context, createClient(world.value)))
		: world;
	const result = isTest && found.ok && found.value.length === 0 ? fail(NOTHING) : found;
	if (!result.ok)
		throw pollError(
			context.getNode(),
			result.failure,
			labelIn(ticketTrigger, () => parameters),
		);
	if (result.value.length === 0) return null;
	return [result.value.map((json) => ({ json: json as INodeExecutionData['json'] }))];
}

const NOTHING: NotFoundError = {
	kind: 'notFound',
	message: 'No ticket matches yet, so that there is nothing to show',
	advice: 'Loosen the filters, or let it happen to a ticket once and test again',
};

const parametersOf = (context: IPollFunctions): Record<string, unknown> =>
	Object.fromEntries(
		ticketTrigger
			.map(({ name }) => [name, context.getNodeParameter(name, null) as unknown] as const)
			.filter(([, value]) => value !== null),
	);

function postOf(context: IPollFunctions, client: PollPost['client']): PollPost {
	const state = context.getWorkflowStaticData('node');
	// Older versions of n8n set no limit to a poll.
	const budget = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : BUDGET;
	return {
		client,
		zone: context.getTimezone(),
		now: Date.now,
		budget,
		// n8n keeps notes of its own in what it loaded, which a copy leaves behind.
		load: () => cloneDeep(state[STATE]),
		save: (watermark) => {
			state[STATE] = watermark;
		},
	};
}
