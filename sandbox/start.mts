import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { answer } from './answer.mts';
import type { Service } from './answer.mts';
import { createControl } from './control.mts';
import type { Control } from './control.mts';
import { answerControl, controlPath } from './controlRoutes.mts';
import { createFaultBook } from './faultBook.mts';
import { listen } from './listen.mts';
import { basePath } from './operations.mts';
import { changeOptions, runtimeOptions } from './options.mts';
import type { SandboxOptions } from './options.mts';
import { createRequestLog } from './requestLog.mts';
import { createTurns } from './turns.mts';
import { createWorld } from './world.mts';

/** A running sandbox. */
export interface Sandbox {
	/** The base address of the service, with its version segment. */
	url: string;
	/** The address of the control. */
	controlUrl: string;
	port: number;
	close: () => Promise<void>;
	control: Control;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function createService(options: SandboxOptions): { service: Service; control: Control } {
	const { now = Date.now, tickets = 0, seed = 1, port: _port, tls: _tls, ...runtime } = options;
	const initial = changeOptions(runtimeOptions.parse({}), runtime);
	const newWorld = () => {
		const world = createWorld(initial, now, seed);
		if (tickets > 0) world.tickets.seed(tickets);
		return world;
	};
	const service: Service = {
		world: newWorld(),
		log: createRequestLog(now),
		faults: createFaultBook(now),
		turn: createTurns(),
	};
	return { service, control: createControl(service, newWorld) };
}

function listener(service: Service, control: Control): Listener {
	return (request, response) => {
		const path = request.url ?? '';
		const answered = path.startsWith(`${controlPath}/`)
			? answerControl(control, request, response)
			: answer(service, request, response);
		answered.catch((error: unknown) => {
			console.error(error);
			response.destroy();
		});
	};
}

/** Starts the service and its control on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { service, control } = createService(options);
	const handle = listener(service, control);
	const server = options.tls ? createTlsServer(options.tls, handle) : createServer(handle);
	// A connection stays open until the client or `close` ends it: no race between reuse and timeout.
	server.keepAliveTimeout = 0;
	const { port, close } = await listen(server, options.port);
	const origin = `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
	return {
		url: origin + basePath,
		controlUrl: origin + controlPath,
		port,
		control,
		close: async () => {
			await close();
			service.world.tickets.close();
		},
	};
}
