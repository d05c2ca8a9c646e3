import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { connect } from '../../nodes/ConversationDesk/transport';
import { good } from '../support/credential';
import { nodeContext } from '../support/nodeContext';
import { forget, serve } from '../support/service';

afterEach(forget);

it('sends nothing after the user stopped the workflow, and tells what was in flight', async () => {
	const user = new AbortController();
	const received = serve(() => {
		user.abort();
		return { status: 200, body: {} };
	});
	const { description } = new ConversationDesk();
	const runtime = await connect(nodeContext({ description, stop: user.signal }));
	if (!runtime.ok) throw new Error('There is no connection');
	const request = { method: 'GET', path: '/conversations/1', idempotent: true } as const;
	expect(await runtime.value.send(request)).toMatchObject({ sent: 'unknown', code: 'ABORTED' });
	expect(await runtime.value.send(request)).toMatchObject({ sent: 'no', code: 'CANCELED' });
	expect(received).toHaveLength(1);
});

it.each(['', 'Bearer ', 'bearer '])(
	'hides a token pasted as %jtoken that the service echoes, in responses, errors and headers',
	async (prefix) => {
		const token = 'abc/def+ghi==';
		const echo = `{"message":"no abc\\/def\\u002Bghi=\\u003d","data":[]}`;
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
