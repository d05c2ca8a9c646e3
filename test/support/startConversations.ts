import { toSentence } from '../../src/core/problems';
import { create } from '../../src/conversations/create/create';
import type { DedupeStore } from '../../src/core/dedupeStore';
import type { Row, RowResult } from '../../src/core/operation';
import type { Script, Settings } from './fakeRuntime';
import { fakeDedupeStore, fakeRuntime, inTurn, jsonLedger, reply } from './fakeRuntime';
import { outcomeOf, reasonOf, runRows } from './runRows';
import { AGENT, listOf, members, PHONE, phoneOf } from './samples';

/** A row whose conversation is entered in fields. */
export const fieldsRow = (more: object = {}): Row => ({
	parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: PHONE, ...more },
});

/** A row that calls the n-th person. */
export const callOf = (n: number, options: object = {}, more: object = {}): Row =>
	fieldsRow({ toPhoneNumber: phoneOf(n), ...more, options });

/** The setup of a run. By default, the service accepts everyone, and no one was called before. */
interface RunSetup extends Settings {
	readonly script?: Script;
	readonly store?: DedupeStore;
	readonly ledger?: ReturnType<typeof jsonLedger>;
	readonly round?: number;
	readonly account?: string;
}

const problemsOf = ({ failure }: RowResult) =>
	failure?.kind === 'input'
		? failure.problems.map((problem) => [problem.path.join('.'), toSentence(problem)])
		: failure && 'message' in failure
			? failure.message
			: undefined;

/** Starts the conversations of rows; returns the requests, and the outcome of each row. */
export async function startAll(
	rows: readonly Row[],
	{
		script = inTurn(reply(200, '')),
		store = fakeDedupeStore(),
		ledger = jsonLedger(),
		round = 0,
		account = 'workspace',
		...settings
	}: RunSetup = {},
) {
	const { sent: requests, context } = fakeRuntime(script, settings);
	const run = await runRows(create, rows, { ...context(ledger, store, round), account });
	const sent = requests.flatMap(({ body }) => listOf(body, 'conversations').map(members));
	return {
		...run,
		requests,
		/** The conversations in all requests, and their numbers. */
		sent,
		called: sent.map(({ toPhoneNumber }) => toPhoneNumber),
		outcomes: run.rows.map(outcomeOf),
		reasons: run.rows.map(reasonOf),
		codes: run.rows.map(({ failureItem }) => failureItem?.['code']),
		/** The problems of each row. */
		problems: run.rows.map(problemsOf),
	};
}

/** Starts conversations in a round of an execution. */
export const start = async (rows: readonly Row[], ledger = jsonLedger(), round = 0) =>
	await startAll(rows, { ledger, round });
