import uniqBy from 'lodash/uniqBy';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Column } from '../../src/tickets/columns';
import { columnNames, columns } from '../../src/tickets/columns';
import type { Operator } from '../../src/tickets/operators';
import { operatorsByKind, valueFieldFor } from '../../src/tickets/operators';
import type { ShortcutFields, ShortcutName } from '../../src/tickets/shortcuts';
import { shortcutFields, shortcutNames } from '../../src/tickets/shortcuts';
import { exampleOperand } from '../support/exampleValues';
import { calls, search } from '../support/panel';
import { runNode } from '../support/runNode';
import { members, PHONE, uuidOf } from '../support/samples';
import { useSandbox } from '../support/sandbox.mts';

// They ask a real service, on machines that may be busy.
jest.setTimeout(30_000);

const sandboxOf = useSandbox();

type Condition = IDataObject & { column: Column; operator: Operator | ShortcutName };

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

/** The condition as the panel gives it: an example in the field that is shown for it. */
function withOperator(column: Column, operator: Operator): Condition {
	const { kind } = columns[column];
	const widget = valueFieldFor(kind, operator);
	const between = '2026-01-01T00:00:00Z,2026-02-01T00:00:00Z';
	const value = operator === 'isBetween' ? between : exampleOperand(operator, kind);
	return { column, operator, ...(widget !== undefined && { [widget]: value }) };
}

const examples: Readonly<Record<ShortcutFields, IDataObject>> = {
	none: {},
	text: { value: '50% of_all \\ "it" \'s' },
	count: { numberValue: 3 },
	dates: { dateValue: '2026-01-31', dateTo: '2026-02-01T12:00:00' },
	numbers: { numberValue: -5, numberTo: 5 },
};

function withShortcut(column: Column, operator: ShortcutName): Condition {
	const fields = shortcutFields(operator, columns[column].kind) ?? 'none';
	return { column, operator, ...examples[fields] };
}

describe('against a strict service', () => {
	beforeAll(async () => await sandboxOf().invent(150));

	it.each(uniqBy(columnNames, (name) => columns[name].kind))(
		'every operator and every shortcut on %s is accepted as it is sent',
		async (column) => {
			const { kind } = columns[column];
			const conditions = [
				...operatorsByKind[kind].map((operator: Operator) => withOperator(column, operator)),
				...shortcutNames
					.filter((name) => shortcutFields(name, kind) !== undefined)
					.map((name) => withShortcut(column, name)),
			];
			await sandboxOf().forget();
			for (const condition of conditions) {
				const { error } = await run([condition], { returnAll: false, limit: 3 });
				expect({ condition, error }).toEqual({ condition, error: undefined });
			}
			const received = await sandboxOf().received();
			expect(new Set(received.map(({ status }) => status))).toEqual(new Set([200]));
			expect(received).toHaveLength(conditions.length);
			for (const { body } of received) {
				const sent = members(members(members(body)['filters'])[column]);
				expect(Object.keys(sent).length).toBeGreaterThan(0);
			}
			const named = received.map(({ body }) => Object.keys(members(members(body)['filters'])));
			expect(named).toEqual(received.map(() => [column]));
		},
		30_000,
	);
});

it('gives the tickets that match conditions on several columns, and two on one column', async () => {
	await sandboxOf().invent(700);
	const everything = await sandboxOf().all();
	const { main } = await run([
		{ column: 'priority', operator: 'ne', priorityValue: 'low' },
		{ column: 'priority', operator: 'ne', priorityValue: 'high' },
		{ column: 'ticketNumber', operator: 'between', numberValue: 50, numberTo: 600 },
		{ column: 'ticketNumber', operator: 'between', numberValue: 100, numberTo: 900 },
		{ column: 'closedAt', operator: 'isNull' },
		{ column: 'title', operator: 'contains', value: '%' },
	]);
	const expected = everything.filter(
		({ priority, ticketNumber, closedAt, title }) =>
			(priority === 'urgent' || priority === 'medium') &&
			ticketNumber >= 100 &&
			ticketNumber <= 600 &&
			closedAt === null &&
			String(title).includes('%'),
	);
	expect(expected.length).toBeGreaterThan(20);
	expect(main.map(({ json }) => json)).toEqual(expected);
});

describe('Ticket: Get', () => {
	beforeAll(async () => {
		const named = (n: number, ticketNumber = n) => ({
			...{ id: uuidOf(n), ticketNumber, title: `Ticket ${n}` },
		});
		await sandboxOf().fill([1, 2, 3].map((n) => named(n)).concat(named(8, 500), named(9, 500)));
		await sandboxOf().forget();
	});

	it('reads rows together, keeps their order and pairing, and explains each failed row', async () => {
		const { main, errors } = await runNode({
			rows: [3, 77, 'x', 500, uuidOf(2), 1].map((ticketId) => ({ ticketId })),
			parameters: {
				...{ resource: 'ticket', operation: 'get', output: 'raw' },
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
	expect(main[0]?.json['details']).toMatchObject({ outcome: 'unknown', code: 'ETIMEDOUT' });
	expect((await sandbox.counts()).conversationsCreated).toBe(1);
});
