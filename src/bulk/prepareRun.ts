import type { OperationContext, RunInput } from '../core/operation';
import type { RunPlan } from './check';
import { checkRows, pendingOf } from './check';
import type { Journal } from './journal';
import type { KeyOf } from './ledger';
import { ledgerKeys, recallSent, sentEarlier } from './ledger';
import { limitToday } from './limitToday';
import type { BulkOperation, SendSettings, SendWindow } from './operation';
import type { Outcome } from './outcomes';
import { planDifference, planIdOf } from './planId';
import { recallContacted } from './recallContacted';
import { openSentRecord } from './sentState';
import { settleByHand } from './settleByHand';

/** A run about which everything is known except what the service will say. */
export interface PreparedRun<T, Settings> {
	readonly plan: RunPlan<T>;
	readonly settings: Settings;
	readonly context: OperationContext;
	/** What the rows ask for, as the ID that is approved. */
	readonly planId: string;
	readonly keyOf: KeyOf;
	/** Why nothing is sent, if there is a reason. */
	readonly refusal: string | undefined;
	readonly notes: readonly string[];
	readonly window: SendWindow<T> | undefined;
	/** The journal, which also counts the calls of today where there is a limit. */
	readonly journal: Journal | undefined;
	readonly sentRecord: Awaited<ReturnType<typeof openSentRecord>>['record'];
}

/** Reads and checks the rows of a run, and withholds those that were sent already or may not be sent now. */
export async function prepareRun<T, Settings extends SendSettings>(
	operation: BulkOperation<T, Settings, object, object>,
	{ settings, rows }: { readonly settings: Settings; readonly rows: RunInput['rows'] },
	context: OperationContext,
): Promise<PreparedRun<T, Settings>> {
	const plan = checkRows(rows, operation, settings);
	const planId = approvalId(plan, operation, settings);
	const candidates = pendingOf(plan);
	const keyOf = ledgerKeys(plan.values, operation, settings, context);
	const earlier = recallSent(plan, keyOf, context);
	withholdOlder(plan, operation, settings);
	const recalled = await recallContacted(plan, operation, { settings, earlier, context });
	const settled = await settleByHand(plan, operation, { settings, recalled, context });
	const window = operation.sendWindow?.(settings, context.zone);
	if (window) withholdNow(plan, window, context.now());
	const limited = await limitToday(plan, operation, {
		settings,
		journal: recalled.journal,
		context,
	});
	const pending = pendingOf(plan).length;
	const refusal =
		plan.reasonNotToSend ??
		notApproved(operation.approval?.approvedPlan(settings), planId) ??
		recalled.reasonNotToSend ??
		limited.reasonNotToSend ??
		operation.tooMany?.({ pending, earlier: sentEarlier(context.ledger) }, settings);
	const sent =
		settings.dryRun || refusal === undefined
			? await openSentRecord(plan, operation, { settings, context, candidates })
			: {};
	const notes = [...plan.notes, ...[recalled.note ?? [], settled ?? [], sent.note ?? []].flat()];
	return {
		plan,
		settings,
		context,
		planId,
		keyOf,
		refusal: refusal ?? sent.reasonNotToSend,
		notes,
		window,
		journal: limited.journal,
		sentRecord: sent.record,
	};
}

/** The ID of what the rows of a run ask for, whatever else keeps some of them from being sent. */
const approvalId = <T, Settings extends SendSettings>(
	plan: RunPlan<T>,
	{ approval, identity, toBody }: BulkOperation<T, Settings, object, object>,
	settings: Settings,
): string =>
	approval && (settings.outputAs === 'run' || approval.approvedPlan(settings) !== undefined)
		? planIdOf(
				pendingOf(plan).map((index) => {
					const value = plan.values[index] as T;
					const content = [toBody(value, settings), approval.toPlan(value)];
					return { identity: identity.of(value), content };
				}),
			)
		: '';

function notApproved(approved: string | undefined, planId: string): string | undefined {
	const difference = approved === undefined ? undefined : planDifference(approved, planId);
	return difference === undefined
		? undefined
		: `Nothing was sent, because the rows differ from Approved Plan: ${difference}. Do a dry run and have the new plan approved`;
}

/** Notes values that must not be sent at this moment. */
function withholdNow<T>(plan: RunPlan<T>, window: SendWindow<T>, nowMs: number): void {
	for (const [index, value] of plan.values.entries())
		plan.outcomes[index] ??= window.reason(value, nowMs);
}

/** An older value must not be sent after a newer one of the same identity, as a retry would. */
function withholdOlder<T, Settings extends SendSettings>(
	{ values, outcomes }: RunPlan<T>,
	operation: BulkOperation<T, Settings, object, object>,
	settings: Settings,
): void {
	if (settings.duplicates !== 'sendAll' || !operation.resendsChanged?.(settings)) return;
	const newer = new Set<string>();
	for (let index = values.length - 1; index >= 0; index--) {
		const id = operation.identity.of(values[index] as T);
		if (outcomes[index]) newer.add(id);
		else if (newer.has(id)) outcomes[index] = OLDER;
	}
}

const OLDER: Outcome = {
	outcome: 'notSent',
	failure: {
		kind: 'skipped',
		message: 'Not sent, because a newer row of the same customer was already sent',
	},
};
