import { readTime } from '../../src/tickets/trigger/changes';
import { poll } from '../../src/tickets/trigger/poll';
import { pollContext } from './pollContext';
import type { Manners } from './triggerService';
import { plain, TriggerService } from './triggerService';

export const MINUTE = 60_000;

/** A trigger that is polled once a minute. */
export function watch(manners: Partial<Manners> = {}, options: object = {}) {
	const host = { clockMs: Date.UTC(2026, 0, 15, 12), requests: 0, state: undefined as unknown };
	const reports: string[] = [];
	const service = new TriggerService({ ...plain, ...manners }, () => host.clockMs);
	const respond = (body: unknown) => {
		host.requests += 1;
		return service.respond(body);
	};
	const report = (message: string) => reports.push(message);
	const context = pollContext(host, respond, { report });
	const run = async (): Promise<string[]> => {
		host.clockMs += MINUTE;
		const found = await poll({ event: 'ticketUpdated', output: 'raw', options }, context);
		if (!found.ok) throw new Error(JSON.stringify(found.failure));
		return found.value.map(
			(row) => `${String(row['ticketNumber'])}@${String(readTime(row['updatedAt']))}`,
		);
	};
	/** Polls until nothing is returned any more. */
	const drain = async (): Promise<string[]> => {
		const all: string[] = [];
		for (let more = await run(); more.length > 0; more = await run()) all.push(...more);
		return all;
	};
	const stateSize = () => JSON.stringify(host.state).length;
	return { host, service, run, drain, stateSize, reports };
}
