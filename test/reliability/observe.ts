import type { IDataObject } from 'n8n-workflow';
import type { Outcome } from '../support/runNode';
import { useN8nStore } from '../support/n8nStore';
import { runNode } from '../support/runNode';
import type { FaultInput as Rule } from '../../sandbox/faults.mts';
import type { Crossing } from './edge.mts';
import { cross } from './edge.mts';
import type { Fault } from './faults';
import type { Host } from './host.mts';
import type { Cell } from './rules';
import { numberOf } from './rules';
import type { Subject } from './subjects';

/** The results of a run of the node, at both ends of the connection. */
export interface Observed extends Outcome {
	readonly rows: readonly IDataObject[];
	readonly crossing: Crossing;
	/** Requests of the operation that the sandbox counted. */
	readonly received: number;
	/** How often each customer was stored, and how often it was rejected as a duplicate. */
	readonly stored: ReadonlyMap<string, { readonly inserts: number; readonly refusals: number }>;
	/** How often each number was called. */
	readonly calls: Readonly<Record<string, number>>;
	readonly elsewhere: number;
}

type Run = Pick<Cell, 'subject' | 'onError' | 'tries'> & { readonly fault?: Fault };
type Place = Pick<Cell, 'at' | 'lasting'> & { readonly requests: number };

/** Runs a subject on a host, with a fault at a place unless nothing shall go wrong. */
export async function observe(
	{ subject, fault, onError, tries }: Run,
	host: Host,
	place?: Place,
): Promise<Observed> {
	const ids = await host.prepare();
	const { sandbox, elsewhere } = host;
	const rows = subject.rows(ids);
	const number = place ? numberOf(place) : 0;
	const hits = (connection: number): boolean =>
		place?.lasting === 'once' ? connection === number : connection >= number;
	const isUnanswered = (connection: number): boolean =>
		subject.shape === 'rows' && place?.lasting === 'for good'
			? hitsRow(connection, number, rows.length)
			: hits(connection);
	if (fault?.rule && place)
		await sandbox.fault(...rulesOf(subject, fault, { ...place, rows, host }));
	const before = (await sandbox.counts()).requests;
	const fate = fault?.fate;
	const run = await cross(
		{
			fateOf: (connection) => (fate && hits(connection) ? fate : 'through'),
			isSilent: (connection) => fault?.silent === true && isUnanswered(connection),
		},
		async () => {
			// Each cell begins without the people called in another one.
			await useN8nStore();
			return await runNode({
				parameters: subject.parameters,
				rows,
				credential: {
					...sandbox.credential,
					baseUrl: fate === 'untrusted' ? host.secured : host.plain,
				},
				settings: {
					onError,
					...(tries > 1 && { retryOnFail: true, maxTries: tries, waitBetweenTries: 1 }),
				},
			});
		},
	);
	const after = (await sandbox.counts()).requests;
	const customers = subject.calls === 'createCustomers' ? await sandbox.customers() : [];
	const calls = subject.calls === 'createConversations' ? await sandbox.calls() : {};
	return {
		...run,
		rows,
		received: after[subject.calls] - before[subject.calls],
		stored: new Map(customers.map((stored) => [stored.customer.identifier, stored])),
		calls,
		elsewhere: elsewhere.received.length,
	};
}

/** All rows are sent first, in order; then each row without a response is sent four more times; then n8n may start again. */
function hitsRow(connection: number, number: number, rows: number): boolean {
	const run = rows + 4 * (rows - number + 1);
	const inRun = (connection - 1) % run;
	return inRun >= rows || inRun + 1 >= number;
}

/** Requests of single rows arrive in any order, so the sandbox identifies them by their content. */
function rulesOf(
	subject: Subject,
	fault: Fault,
	{ host, rows, ...place }: Place & { rows: readonly IDataObject[]; host: Host },
): Rule[] {
	if (!fault.rule) return [];
	const number = numberOf(place);
	const rule = fault.rule(Date.now(), host.elsewhere.url);
	const once = place.lasting === 'once' ? { times: 1 } : {};
	const { markOf } = subject;
	// The conversations of the preparation count as requests too.
	const earlier = subject.calls === 'createConversations' ? 1 : 0;
	if (!markOf) return [{ ...rule, operation: subject.calls, from: number + earlier, ...once }];
	const hit = rows.slice(number - 1, place.lasting === 'once' ? number : undefined);
	return hit.map((row) => ({
		...rule,
		operation: subject.calls,
		holding: markOf(row),
		...once,
	}));
}
