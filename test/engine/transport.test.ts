import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { connect } from '../../nodes/ConversationDesk/transport';
import { good } from '../support/credential';
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
	const runtime = await connect(nodeContext({ description, stop: user.signal }));
	if (!runtime.ok) throw new Error('There is no connection');
	const { send } = runtime.value;
	const answers = await Promise.all(
		Array.from({ length: 50 }, async (_, n) => {
			return await send({ method: 'GET', path: `/conversations/${n}`, idempotent: true });
		}),
	);
	expect(answers[0]).toMatchObject({ kind: 'noResponse', sent: 'unknown', code: 'ABORTED' });
	expect(answers.at(-1)).toMatchObject({ kind: 'noResponse', sent: 'no', code: 'CANCELED' });
	const never = answers.filter(
		(response) => response.kind === 'noResponse' && response.sent === 'no',
	);
	expect(never.length).toBeGreaterThan(25);
	expect(received.length).toBeLessThanOrEqual(50 - never.length);
});

it.each(['', 'Bearer ', 'bearer '])(
	'hides a token pasted as %jtoken that the service echoes, in responses, errors and headers',
	async (prefix) => {
		const token = 'abc/def+ghi==';
		const echo = `{"message":"no \\u0061bc\\/def\\u002Bghi=\\u003d","data":[]}`;
		serve((_, number) => ({
			status: [200, 400, 302][number - 1] ?? 200,
			body: echo,
			headers: { location: `https://x.test/${encodeURIComponent(token)}`, 'x-echo': token },
		}));
		const { description } = new ConversationDesk();
		const credential = { ...good, accessToken: prefix + token };
		const runtime = await connect(nodeContext({ description, credential }));
		if (!runtime.ok) throw new Error('There is no connection');
		for (let number = 0; number < 3; number++) {
			const answer = await runtime.value.send({ method: 'GET', path: '/x', idempotent: true });
			if (answer.kind !== 'response') throw new Error(answer.code);
			expect(JSON.parse(answer.text)).toEqual({ message: 'no ***', data: [] });
			expect(answer.headers).toMatchObject({ location: 'https://x.test/***', 'x-echo': '***' });
		}
	},
);
