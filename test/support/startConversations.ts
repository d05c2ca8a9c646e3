import { toSentence } from '../../src/core/problems';
import { create } from '../../src/conversations/create/create';
import type { Row } from '../../src/core/operation';
import { fakeRuntime, inTurn, jsonLedger, reply } from './fakeRuntime';
import { runRows } from './runRows';
import { AGENT, listOf, members, PHONE } from './samples';

/** A row whose conversation is entered in fields. */
export const fieldsRow = (more: object = {}): Row => ({
	parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: PHONE, ...more },
});

/** Starts the conversations of these rows at a service that takes all of them: what it got, and what is wrong with each row. */
export async function start(rows: readonly Row[], ledger = jsonLedger(), round = 0) {
	const runtime = fakeRuntime(inTurn(reply(200, '')));
	const result = await runRows(create, rows, runtime.context(ledger, undefined, round));
	const sent = runtime.sent.flatMap(({ body }) => listOf(body, 'conversations').map(members));
	const problems = result.rows.map(({ failure }) =>
		failure?.kind === 'input'
			? failure.problems.map((problem) => [problem.path.join('.'), toSentence(problem)])
			: failure && 'message' in failure
				? failure.message
				: undefined,
	);
	return { ...result, sent, problems };
}
