import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../sandbox/listen.mts';

/** A tool that the model wants called, and what it gives it. */
export interface ToolCall {
	name: string;
	arguments: Record<string, unknown>;
}

interface Message {
	role: string;
	content: unknown;
}

/** A request from n8n to a model. */
export interface ModelRequest {
	messages: Message[];
	tools?: Array<{ function: { name: string; description: string; parameters: unknown } }>;
	stream?: boolean;
}

type Reply = Record<string, unknown>;

/** A stand-in for a language model with OpenAI's chat completions: it calls these tools one by one, then returns `answer`. */
export async function startModel(calls: readonly ToolCall[], answer: string) {
	const received: ModelRequest[] = [];
	const server = createServer((request, response) => {
		void parse(request).then((body) => {
			received.push(body);
			const call = calls[received.length - 1];
			const message = call
				? toolCall(call, received.length)
				: { role: 'assistant', content: answer };
			const finish = call ? 'tool_calls' : 'stop';
			if (!body.stream) {
				response.setHeader('content-type', 'application/json');
				response.end(JSON.stringify(completion({ message, finish_reason: finish })));
				return;
			}
			response.setHeader('content-type', 'text/event-stream');
			for (const choice of [
				{ delta: message, finish_reason: null },
				{ delta: {}, finish_reason: finish },
			]) {
				response.write(`data: ${JSON.stringify(completion(choice, 'chat.completion.chunk'))}\n\n`);
			}
			response.end('data: [DONE]\n\n');
		});
	});
	const { port, close } = await listen(server);
	return { url: `http://127.0.0.1:${port}/v1`, received, close };
}

async function parse(request: IncomingMessage): Promise<ModelRequest> {
	return JSON.parse(await text(request)) as ModelRequest;
}

function toolCall({ name, arguments: values }: ToolCall, index: number): Reply {
	const call = { name, arguments: JSON.stringify(values) };
	const tool_calls = [{ index: 0, id: `call_${index}`, type: 'function', function: call }];
	return { role: 'assistant', content: null, tool_calls };
}

function completion(choice: Reply, object = 'chat.completion'): Reply {
	return {
		id: 'stand-in',
		object,
		created: 0,
		model: 'stand-in',
		choices: [{ index: 0, ...choice }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
