import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { answer } from './answer.mts';
import type { Service } from './answer.mts';
import { answerControl, controlPath, createControl } from './control.mts';
import type { Control } from './control.mts';
import { createFaultBook } from './faults.mts';
import { listen } from './listen.mts';
import { basePath } from './operations.mts';
import { changeOptions, runtimeOptions } from './options.mts';
import type { SandboxOptions } from './options.mts';
import { createRequestLog } from './requestLog.mts';
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

/** Starts the service and its control on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { now = Date.now, tickets = 0, seed = 1, port: wanted, tls, ...change } = options;
	const initial = changeOptions(runtimeOptions.parse({}), change);
	const newWorld = () => {
		const world = createWorld(initial, now, seed);
		if (tickets > 0) world.tickets.seed(tickets);
		return world;
	};
	const service: Service = {
		world: newWorld(),
		log: createRequestLog(),
		faults: createFaultBook(now),
	};
	const control = createControl(service, newWorld);
	const handle = (request: IncomingMessage, response: ServerResponse): void => {
		const isControl = request.url?.startsWith(`${controlPath}/`) === true;
		const answered = isControl
			? answerControl(control, request, response)
			: answer(service, request, response);
		answered.catch((error: unknown) => {
			console.error(error);
			response.destroy();
		});
	};
	const server = tls ? createTlsServer(tls, handle) : createServer(handle);
	// A connection stays open, because a timeout could end it while a client reuses it.
	server.keepAliveTimeout = 0;
	const { port, close } = await listen(server, wanted);
	const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
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
