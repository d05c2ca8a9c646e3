import type { OperationContext } from '../core/operation';
import type { RunPlan } from './check';
import { pendingOf } from './check';
import { leftToday, overLimit, withDailyLimit } from './dailyLimit';
import type { Journal } from './journal';
import type { BulkOperation, SendSettings } from './operation';

interface LimitOptions<Settings> {
	readonly settings: Settings;
	readonly journal: Journal | undefined;
	readonly context: OperationContext;
}

/** Withholds what is more than may be sent today, and makes the journal count the rest. */
export async function limitToday<T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	{ dailyMax }: Pick<BulkOperation<T, Settings, object, object>, 'dailyMax'>,
	{ settings, journal, context }: LimitOptions<Settings>,
): Promise<{ readonly journal?: Journal | undefined; readonly reasonNotToSend?: string }> {
	const limit = dailyMax?.(settings);
	const pending = pendingOf(plan);
	if (!limit || pending.length === 0) return { journal };
	const { dedupeStore: store, account, zone, now } = context;
	const daily = { max: limit.max, store, account, zone, now };
	const left = await leftToday(daily);
	if (!left.ok || !journal) {
		const problem = left.ok ? 'there is no list of people contacted' : left.failure;
		return limit.isChosen ? { journal, reasonNotToSend: noCount(problem) } : { journal };
	}
	for (const index of pending.slice(left.value)) plan.outcomes[index] = overLimit(limit.max);
	return { journal: withDailyLimit(journal, daily) };
}

const noCount = (problem: string): string =>
	`Not sent, because n8n cannot count today's calls (${problem}). Save the workflow, or remove 'Maximum per Day'`;
