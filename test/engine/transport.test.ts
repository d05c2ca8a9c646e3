import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { connect } from '../../nodes/ConversationDesk/transport';
import { good } from '../support/credential';
import { nodeContext } from '../support/nodeContext';
import { forget, serve } from '../support/service';

afterEach(forget);

it('does not say that a request was not sent which was in progress when the user stopped', async () => {
	const user = new AbortController();
	serve(() => {
		user.abort();
		return { status: 200, body: {} };
	});
	const { description } = new ConversationDesk();
	const runtime = await connect(nodeContext({ description, stop: user.signal }));
	if (!runtime.ok) throw new Error('There is no connection');
	const answer = await runtime.value.send({ method: 'GET', path: '/x', idempotent: true });
	expect(answer).toMatchObject({ kind: 'noResponse', sent: 'unknown', code: 'ABORTED' });
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
