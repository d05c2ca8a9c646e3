import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { connect } from '../../nodes/ConversationDesk/transport';
import { nodeContext } from '../support/nodeContext';
import { forget, serve } from '../support/service';

afterEach(forget);

it('sends nothing of what waits for its turn when the user stops the workflow', async () => {
	const user = new AbortController();
	const received = serve(() => {
		user.abort();
		return { status: 200, body: {} };
	});
	const { description } = new ConversationDesk();
	const world = await connect(nodeContext({ description, stop: user.signal }));
	if (!world.ok) throw new Error('There is no connection');
	const { send } = world.value;
	const answers = await Promise.all(
		Array.from({ length: 50 }, async (_, n) => {
			return await send({ method: 'GET', path: `/conversations/${n}`, repeatable: true });
		}),
	);
	expect(answers[0]).toMatchObject({ kind: 'noReply', sent: 'unknown', code: 'ABORTED' });
	expect(answers.at(-1)).toMatchObject({ kind: 'noReply', sent: 'no', code: 'STOPPED' });
	const never = answers.filter((answer) => answer.kind === 'noReply' && answer.sent === 'no');
	expect(never.length).toBeGreaterThan(25);
	expect(received.length).toBeLessThanOrEqual(50 - never.length);
});
