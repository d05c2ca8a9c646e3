import type { Received, Scripted } from './service';

/** What becomes of a bulk request; 'tooLarge' goes well with up to `max` rows. */
export interface Fault {
	readonly kind: keyof typeof rules;
	readonly max: number;
}

interface Rule {
	/** Whether the rows are stored. */
	readonly stores: boolean;
	/** Whether the client can know that they were not. */
	readonly refuses?: boolean;
	readonly response: Scripted;
}

const refusal = { message: 'Invalid input data', code: 'BAD_REQUEST' };
const issues = [{ path: ['rows', 0, 'name'], message: 'Bad' }];
const reset: Scripted = { broken: 'ECONNRESET' };

const rules = {
	ok: { stores: true, response: { status: 200, body: { jobId: 'job-1' } } },
	empty: { stores: true, response: { status: 200 } },
	malformed: { stores: true, response: { status: 200, body: '{"jobId' } },
	refused: { stores: false, refuses: true, response: { status: 400, body: refusal } },
	named: { stores: false, refuses: true, response: { status: 400, body: { ...refusal, issues } } },
	tooLarge: { stores: false, refuses: true, response: { status: 413 } },
	forbidden: { stores: false, refuses: true, response: { status: 403 } },
	limitedForLong: {
		stores: false,
		refuses: true,
		response: { status: 429, headers: { 'retry-after': '900' } },
	},
	timedOut: { stores: true, response: { status: 408 } },
	failed: { stores: false, response: { status: 500 } },
	failedAfter: { stores: true, response: { status: 500 } },
	resetBefore: { stores: false, response: reset },
	resetAfter: { stores: true, response: reset },
	limitedBriefly: {
		stores: false,
		refuses: true,
		response: { status: 429, headers: { 'retry-after': '0.001' } },
	},
} as const satisfies Readonly<Record<string, Rule>>;

interface SentRow {
	readonly name?: string;
	readonly dynamicVariables?: { readonly mark: string };
}

/** A service that counts for each mark how often it stored it, and how often it took or may have taken it. */
export function createStore() {
	const stored = new Map<string, number>();
	const spent = new Map<string, number>();
	const add = (counts: Map<string, number>, mark: string) =>
		counts.set(mark, (counts.get(mark) ?? 0) + 1);
	function response({ body }: Received, fault: Fault): Scripted {
		const lists = body as { customers?: SentRow[]; conversations?: SentRow[] };
		const rows = lists.customers ?? lists.conversations ?? [];
		const fits = fault.kind === 'tooLarge' && rows.length <= fault.max;
		const rule: Rule = rules[fits ? 'ok' : fault.kind];
		for (const { name, dynamicVariables } of rows) {
			const mark = name ?? dynamicVariables?.mark ?? '';
			if (rule.stores) add(stored, mark);
			if (!rule.refuses) add(spent, mark);
		}
		return rule.response;
	}
	return { stored, spent, response };
}
