import fc from 'fast-check';
import { create } from '../../src/conversations/create/create';
import { get as getConversation } from '../../src/conversations/get/get';
import type { Operation } from '../../src/core/operation';
import { createBatch, upsertBatch } from '../../src/customers/batch';
import { filtersSchema } from '../../src/tickets/filters/schema';
import { getTicket } from '../../src/tickets/search/get';
import { search } from '../../src/tickets/search/search';
import { fakeRuntime, reply } from '../support/fakeRuntime';
import { AGENT, PHONE, uuidOf } from '../support/samples';
import { runRows } from '../support/runRows';

/** An object whose conversion to text throws. */
const textless = { toString: 1, valueOf: 1 };
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
const withKey = (name: string, value: unknown): unknown =>
	JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`);

const customer = { inputMode: 'fields', customer: { identifier: 'A' } };
const call = { inputMode: 'fields', agentId: AGENT, toPhoneNumber: PHONE };

/** Runs an operation against a service that always answers the same. */
async function against(
	operation: Operation,
	parameters: unknown,
	response: ReturnType<typeof reply> = reply(200),
) {
	let requestCount = 0;
	const runtime = fakeRuntime(() => (++requestCount > 300 ? reply(400) : response));
	const run = await runRows(operation, [{ parameters }], runtime.context());
	return { run, sent: runtime.sent };
}

const everyOperation: ReadonlyArray<readonly [string, Operation, unknown]> = [
	['ticket search', search, { limit: 5 }],
	['ticket search of all', search, { returnAll: true }],
	['ticket search in order', search, { limit: 5, sort: { rules: [{ column: 'createdAt' }] } }],
	['ticket get', getTicket, { ticketId: 7 }],
	['conversation get', getConversation, { conversationId: uuidOf(1) }],
	['customer batch', createBatch, customer],
	['customer upsert', upsertBatch, customer],
	['conversation create', create, call],
];

const odd = fc.oneof(
	fc.constantFrom<unknown>(textless, 1e308, -1e308, 2 ** 53, '', null, [], {}, true, 'x', [[]]),
	fc.jsonValue(),
);
const oddTicket = fc.record(
	{
		id: fc.oneof(fc.constant(uuidOf(1)), odd),
		ticketNumber: fc.oneof(fc.integer(), odd),
		createdAt: odd,
		title: odd,
	},
	{ requiredKeys: [] },
);
const oddBody = fc.oneof(
	odd,
	fc.record({
		data: fc.oneof(fc.array(oddTicket), odd),
		metadata: fc.oneof(odd, fc.record({ hasNextPage: fc.oneof(fc.boolean(), odd) })),
	}),
	fc.record({
		id: odd,
		conversationStatus: odd,
		callStartTime: odd,
		dynamicVariables: odd,
		error: odd,
	}),
	fc.record({ jobId: odd }),
);

describe.each(everyOperation)('%s', (_, operation, parameters) => {
	it('ends with one result for its row, whatever is in a good reply', async () => {
		await fc.assert(
			fc.asyncProperty(oddBody, async (body) => {
				const { run } = await against(operation, parameters, reply(200, body));
				expect(run.rows).toHaveLength(1);
			}),
			{ numRuns: 150 },
		);
	}, 60_000);

	it('ends with one failure for its row, whatever is in a refusal', async () => {
		const issue = fc.oneof(
			odd,
			fc.record({
				path: fc.oneof(odd, fc.array(fc.oneof(fc.string(), fc.nat(), fc.constant([])))),
				message: odd,
			}),
		);
		const body = fc.oneof(
			odd,
			fc.record({ message: odd, code: odd, issues: fc.oneof(odd, fc.array(issue)), data: odd }),
		);
		await fc.assert(
			fc.asyncProperty(
				body,
				fc.constantFrom(400, 401, 403, 404, 409, 422),
				async (content, status) => {
					const { run } = await against(operation, parameters, reply(status, content));
					expect(run.rows.map(({ failure }) => failure?.kind)).toEqual(['api']);
				},
			),
			{ numRuns: 100 },
		);
	}, 60_000);

	it('refuses or repairs parameters of any type, and never fails as a whole', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(
					...Object.keys(Object(parameters)),
					'options',
					'filters',
					'sort',
					'filtersJson',
				),
				odd,
				async (name, value) => {
					const wrong = { ...Object(parameters), [name]: value } as unknown;
					const { run } = await against(operation, wrong, reply(404));
					expect(run.rows).toHaveLength(1);
				},
			),
			{ numRuns: 200 },
		);
	}, 60_000);
});

describe('names that every object has', () => {
	it.each(names)('%s is no column of a filter, so no condition disappears', (name) => {
		for (const filters of [withKey(name, { eq: 'x' }), { title: withKey(name, 'x') }]) {
			expect(filtersSchema('UTC').safeParse(filters).success).toBe(false);
		}
	});

	it.each(names)('%s is no column to sort by or to select, and no operator', async (name) => {
		for (const wrong of [
			{ sort: { rules: [{ column: name }] } },
			{ output: 'selected', columns: [name] },
			{ filters: { conditions: [{ column: name, operator: 'eq', value: 'x' }] } },
			{ filters: { conditions: [{ column: 'title', operator: name, value: 'x' }] } },
			{ filters: { conditions: [{ column: 'isShared', operator: 'in', valueList: [name] }] } },
		]) {
			const { run, sent } = await against(search, { limit: 1, ...wrong });
			expect([run.rows[0]?.failure?.kind, sent.length]).toEqual(['input', 0]);
		}
	});

	it.each(names)('%s is sent as metadata and as a variable like any other', async (name) => {
		const metadata = withKey(name, 'kept');
		const batch = await against(createBatch, {
			...customer,
			customer: { identifier: 'A', metadata },
		});
		const variables = [{ name, value: 'kept' }];
		const calls = await against(create, { ...call, dynamicVariables: { variables } });
		for (const { sent } of [batch, calls])
			expect(JSON.stringify(sent)).toContain(JSON.stringify(metadata));
	});

	it.each(names)('%s in a reply is a column like any other', async (name) => {
		const ticket = { ...Object(withKey(name, 'kept')), id: uuidOf(1), ticketNumber: 1 } as unknown;
		const page = reply(200, { data: [ticket], metadata: { hasNextPage: false } });
		const { run } = await against(search, { returnAll: true }, page);
		expect(JSON.stringify(run.rows[0]?.items[0])).toContain(`"${name}":"kept"`);
	});
});
