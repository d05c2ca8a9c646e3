import type { OperationContext } from '../core/operation';
import { formatCount } from '../core/text';
import type { RunPlan } from './check';
import { IN_FLIGHT } from './journal';
import { entriesOf } from './journalEntries';
import type { BulkOperation, SendSettings } from './operation';
import type { Outcome } from './outcomes';
import type { Contacted } from './recallContacted';

/** What the user says about people who may or may not have been contacted. */
export interface SettledByHand {
	readonly contacted: ReadonlySet<string>;
	readonly notContacted: ReadonlySet<string>;
}

interface SettleOptions<Settings> {
	readonly settings: Settings;
	readonly recalled: Contacted;
	readonly context: OperationContext;
}

/** Settles the people the user named, in a run that sends nothing. Returns what the hint says, undefined where none were named. */
export async function settleByHand<T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	{ settledByHand, identity }: BulkOperation<T, Settings, object, object>,
	{ settings, recalled, context }: SettleOptions<Settings>,
): Promise<string | undefined> {
	const named = settledByHand?.(settings);
	if (!named) return undefined;
	const { keys = [], isKept = false, dayEntries } = recalled;
	const show = identity.show ?? identity.of;
	const found = new Map<string, 'contacted' | 'notContacted'>();
	const add: string[] = [];
	const remove: string[] = [];
	for (const [index, value] of plan.values.entries()) {
		const name = show(value);
		const isContacted = named.contacted.has(name);
		const isUnknown = plan.outcomes[index] === IN_FLIGHT;
		if (!isUnknown || (!isContacted && !named.notContacted.has(name))) {
			plan.outcomes[index] = isUnknown ? LEFT : (plan.outcomes[index] ?? ONLY_SETTLES);
			continue;
		}
		const { done, sentForms } = entriesOf(keys[index] ?? '', context.now(), isKept);
		remove.push(...sentForms);
		if (isContacted) add.push(done, ...(dayEntries?.(index) ?? []));
		found.set(name, isContacted ? 'contacted' : 'notContacted');
		plan.outcomes[index] = isContacted ? SETTLED : RELEASED;
	}
	const total = named.contacted.size + named.notContacted.size;
	const missing = [...named.contacted, ...named.notContacted].filter((name) => !found.has(name));
	if (found.size > 0 && !settings.dryRun) {
		const exchanged = await context.dedupeStore.exchange({
			tests: [],
			decide: () => ({ add, remove }),
		});
		if (!exchanged.ok) {
			plan.outcomes.fill(unsettled(exchanged.failure));
			return undefined;
		}
	}
	const told = `${formatCount(found.size)} of ${formatCount(total)} named people ${settings.dryRun ? 'would be' : 'were'} settled`;
	return missing.length > 0
		? `${told}. Not unknown, or not among the rows: ${missing.slice(0, 10).join(', ')}`
		: told;
}

const skipped = (message: string): Outcome => ({
	outcome: 'notSent',
	failure: { kind: 'skipped', message },
});

const SETTLED = skipped('Settled as called, because it is listed under Unknown but Called');
const RELEASED = skipped(
	'Released, because it is listed under Unknown and Not Called. The next run may call it',
);
const LEFT = skipped('Not sent and still unknown, because this run settles only those you named');
const ONLY_SETTLES = skipped('Not sent, because this run only settles unknown people');

const unsettled = (failure: string): Outcome => ({
	outcome: 'notSent',
	failure: {
		kind: 'held',
		message: `Nothing was settled, because n8n could not record it (${failure}). Run the node again`,
	},
});
