import { createPostNode } from '../nodes.mts';
import type { Question, Size } from '../question.mts';
import { NAMES, prepareInN8n } from '../work.mts';

/** Invents customers with the five fields of a CRM export. */
export const listCustomers = (count: number) =>
	Array.from({ length: count }, (_, n) => ({
		identifier: `C-${n}`,
		name: `Person ${n}`,
		phoneNumber: `+1415${String(5_000_000 + n)}`,
		email: `person.${n}@example.com`,
		priority: n % 10,
	}));

/** The parameters with which this node maps the columns of its rows. */
export const upsertParameters = {
	resource: 'customer',
	operation: 'upsertBatch',
	dryRun: false,
	inputMode: 'fields',
	customer: { mappingMode: 'autoMapInputData', value: null },
	doNotDisturb: 'none',
	options: {},
};

const upsertBody = '={{ JSON.stringify({ customers: [$json], strategy: "upsert" }) }}';
const upsert = {
	listRows: (size: Size) => listCustomers(size(100_000)),
	desk: upsertParameters,
	createHttpNodes: (url: string) => [createPostNode(`${url}/customers/batch`, upsertBody)],
};

export const customerQuestions: readonly Question[] = [
	{
		letter: 'B',
		meaning:
			'**Customers.** 500 per request, 4 requests at once, columns mapped automatically. The helper alone checks and maps nothing. HTTP Request sends one request per row, all at once, for 1,000 customers, and its times are multiplied by 100.',
		trials: [
			{
				title: '100,000 customers, 20 ms',
				ratios: [
					{ above: NAMES.desk, below: NAMES.helper, figure: 'ms', atMost: 1.6 },
					{ above: NAMES.desk, below: NAMES.helper, figure: 'mb' },
					{ above: NAMES.http, below: NAMES.desk, figure: 'ms', atLeast: 50 },
				],
				prepare: prepareInN8n({ ...upsert, latencyMs: 20, parallel: 4, sample: 1_000 }),
			},
		],
	},
	{
		letter: 'E',
		meaning:
			"**How long n8n serves no one else.** The longest time in which n8n's main thread does nothing but this. HTTP Request evaluates one expression per row, for 5,000 rows, and its figure is not multiplied.",
		trials: [
			{
				title: '100,000 customers, and 5,000 for HTTP Request',
				ratios: [{ above: NAMES.desk, below: NAMES.http, figure: 'stretch', atMost: 1 }],
				prepare: prepareInN8n({ ...upsert, latencyMs: 0, sample: 5_000 }),
			},
		],
	},
];
