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
	readonly reply: (list: string, count: number) => Scripted;
}

const status = (code: number, body: unknown = ''): Scripted => ({ status: code, body });
const refusal = { message: 'Invalid input data', code: 'BAD_REQUEST' };

const rules = {
	ok: { stores: true, reply: () => status(200, { jobId: 'job-1' }) },
	empty: { stores: true, reply: () => status(200) },
	odd: { stores: true, reply: () => status(200, { note: 'none' }) },
	paired: {
		stores: true,
		reply: (list, count) =>
			status(200, {
				jobId: 'job-2',
				[list]: Array.from({ length: count }, (_, id) => ({ id: `i-${id}` })),
			}),
	},
	malformed: { stores: true, reply: () => status(200, '{"jobId') },
	refused: { stores: false, refuses: true, reply: () => status(400, refusal) },
	named: {
		stores: false,
		refuses: true,
		reply: (list) =>
			status(400, { ...refusal, issues: [{ path: [list, 0, 'name'], message: 'Bad' }] }),
	},
	tooLarge: { stores: false, refuses: true, reply: () => status(413) },
	failed: { stores: false, reply: () => status(500) },
	failedAfter: { stores: true, reply: () => status(500) },
	resetBefore: { stores: false, reply: () => ({ broken: 'ECONNRESET' }) },
	resetAfter: { stores: true, reply: () => ({ broken: 'ECONNRESET' }) },
	limitedBriefly: {
		stores: false,
		refuses: true,
		reply: () => ({ status: 429, headers: { 'retry-after': '0.001' } }),
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
		const list = lists.customers ? 'customers' : 'conversations';
		const rows = lists[list] ?? [];
		const fits = fault.kind === 'tooLarge' && rows.length <= fault.max;
		const rule: Rule = rules[fits ? 'ok' : fault.kind];
		for (const { name, dynamicVariables } of rows) {
			const mark = name?.replace('Pat ', '') ?? dynamicVariables?.mark ?? '';
			if (rule.stores) add(stored, mark);
			if (!rule.refuses) add(spent, mark);
		}
		return rule.reply(list, rows.length);
	}
	return { stored, spent, response };
}
