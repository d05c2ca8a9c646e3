import { createAdaptiveConcurrency } from '../../src/core/adaptiveConcurrency';
import type { PageReader } from '../../src/tickets/search/fetchPage';
import { formal } from '../../src/tickets/search/fetchPage';
import type { Script, Sent } from './fakeRuntime';
import { fakeRuntime } from './fakeRuntime';

type Latency = number | ((number: number) => number);

/** A reader of the pages of a scripted service, one at a time unless it says more. */
export function pageReader(
	script: Script,
	{ latency = 0, ...more }: Partial<PageReader> & { readonly latency?: Latency } = {},
): { readonly reader: PageReader; readonly sent: readonly Sent[] } {
	const { sent, context } = fakeRuntime(script, { latency });
	const reader: PageReader = {
		client: context().client,
		concurrency: createAdaptiveConcurrency({ start: 1, max: 1 }),
		pageSize: 100,
		findDialect: false,
		dialect: formal,
		timeoutMs: 1_000,
		requests: 0,
		...more,
	};
	return { reader, sent };
}
