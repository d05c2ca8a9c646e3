import uniqBy from 'lodash/uniqBy';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Column } from '../../src/tickets/columns';
import { columnNames, columns } from '../../src/tickets/columns';
import { builderOperators } from '../../src/tickets/filters/builderOperators';
import { listOperators } from '../../src/tickets/operators';
import { exampleOperand } from '../support/exampleValues';
import { calls, search } from '../support/panel';
import { runNode } from '../support/runNode';
import { members, PHONE, uuidOf } from '../support/samples';
import { useSandbox } from '../support/sandbox.mts';

// They ask a real service, on machines that may be busy.
jest.setTimeout(30_000);

const sandboxOf = useSandbox();

type Condition = IDataObject & { column: Column; operator: string };

/** Runs a search in the engine against the sandbox. */
const run = async (conditions: readonly Condition[], parameters: object = {}, timezone = 'UTC') =>
	await runNode({
		parameters: {
			...search,
			returnAll: true,
			sort: { rules: [{ column: 'ticketNumber', direction: 'asc' }] },
			filters: { conditions: conditions as unknown as INodeParameters[] },
			...parameters,
		},
		credential: sandboxOf().credential,
		timezone,
	});

/** A value for each field of a condition. */
const filled: IDataObject = {
	value: '50% of_all \\ "it" \'s',
	valueList: '7, 8',
	numberValue: 3,
	dateValue: '2026-01-31T09:00:00',
	booleanValue: true,
	idValues: [uuidOf(7)],
	sourceValue: 'voice',
	sourceValues: ['voice'],
	priorityValue: 'urgent',
	priorityValues: ['urgent'],
};

describe('against a strict service', () => {
	beforeAll(async () => await sandboxOf().invent(150));

	it.each(uniqBy(columnNames, (name) => columns[name].kind))(
		'every operator on %s is accepted as it is sent, from the menu and in JSON',
		async (column) => {
			const { kind } = columns[column];
			const value = kind === 'identifier' ? uuidOf(7) : filled['value'];
			const fromMenu = [...builderOperators(kind).keys()].map((operator) => ({
				filters: { conditions: [{ ...filled, value, column, operator }] },
			}));
			const asJson = listOperators(kind).map((operator) => ({
				filterMode: 'json',
				filtersJson: JSON.stringify({ [column]: { [operator]: exampleOperand(operator, kind) } }),
			}));
			await sandboxOf().forget();
			for (const parameters of [...fromMenu, ...asJson]) {
				const { error } = await run([], { ...parameters, returnAll: false, limit: 3 });
				expect({ parameters, error }).toEqual({ parameters, error: undefined });
			}
			const received = await sandboxOf().received();
			expect(received).toHaveLength(fromMenu.length + asJson.length);
			for (const { status, body } of received) {
				const [filter, ...otherFilters] = Object.entries(members(members(body)['filters']));
				expect([status, filter?.[0], otherFilters]).toEqual([200, column, []]);
				expect(Object.keys(members(filter?.[1])).length).toBeGreaterThan(0);
			}
		},
		30_000,
	);
});

describe('Ticket: Get', () => {
	beforeAll(async () => {
		const named = (n: number, ticketNumber = n) => ({
			id: uuidOf(n),
			ticketNumber,
			title: `Ticket ${n}`,
		});
		await sandboxOf().fill([1, 2, 3].map((n) => named(n)).concat(named(8, 500), named(9, 500)));
		await sandboxOf().forget();
	});

	it('reads rows together, keeps their order and pairing, and explains each failed row', async () => {
		const { main, errors } = await runNode({
			rows: [3, 77, 'x', 500, uuidOf(2), 1].map((ticketId) => ({ ticketId })),
			parameters: {
				resource: 'ticket',
				operation: 'get',
				output: 'raw',
				ticketId: '={{ $json.ticketId }}',
			},
			credential: sandboxOf().credential,
			settings: { onError: 'continueErrorOutput' },
		});
		expect(main.map(({ json, pairedItem }) => [json['title'], pairedItem])).toEqual([
			['Ticket 3', { item: 0 }],
			['Ticket 2', { item: 4 }],
			['Ticket 1', { item: 5 }],
		]);
		expect(errors.map(({ json }) => json['error'])).toEqual([
			expect.stringMatching(/^Row 2: There is no ticket with the number 77/),
			expect.stringMatching(/^Row 3: 'Ticket Number or ID' "x" is neither/),
			expect.stringMatching(/^Row 4: There is more than one ticket/),
		]);
		expect((await sandboxOf().counts()).total).toBe(2);
	});
});

it('gives up a response that drips for longer than the timeout, and says that it may have arrived', async () => {
	const sandbox = sandboxOf();
	await sandbox.forget();
	await sandbox.fault({ kind: 'slowBody', msPerChunk: 300, chunks: 100 });
	const { main, error } = await runNode({
		rows: [{ phone: PHONE }],
		parameters: { ...calls, options: { batching: { batch: { timeout: 1 } } } },
		settings: { onError: 'continueRegularOutput' },
		credential: sandbox.credential,
	});
	expect(error).toBeUndefined();
	expect(main[0]?.json['details']).toMatchObject({ outcome: 'unknown', code: 'unknown' });
	expect((await sandbox.counts()).conversationsCreated).toBe(1);
});
