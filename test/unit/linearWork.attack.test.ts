import { create } from '../../src/conversations/create/create';
import { get } from '../../src/conversations/get/get';
import { MAX_DEPTH } from '../../src/core/json';
import type { Operation } from '../../src/core/operation';
import { createRedactor } from '../../src/core/redact';
import { createBatch } from '../../src/customers/batch';
import { search } from '../../src/tickets/search/search';
import { fakeRuntime, reply } from '../support/fakeRuntime';
import { runRows } from '../support/runRows';
import { AGENT, PHONE, uuidOf } from '../support/samples';

const LENGTH = 100_000;

/** Texts that make patterns backtrack, loops restart and recursions nest: only linear work on them ends quickly. */
const hostile: ReadonlyArray<readonly [string, string]> = [
	['backslashes', '\\'.repeat(LENGTH)],
	['backslashes and letters', '\\u'.repeat(LENGTH / 2)],
	['percents', '%25'.repeat(LENGTH / 3)],
	['beginnings of a key', 'aaaaaaaaaaaaaaab'.repeat(LENGTH / 16)],
	['one letter', 'a'.repeat(LENGTH)],
	['digits', `${'1'.repeat(LENGTH)}.5`],
	['blanks', ' '.repeat(LENGTH)],
	['nested lists', `${'['.repeat(LENGTH / 2)}${']'.repeat(LENGTH / 2)}`],
];

const on = (column: string, more: object) => ({
	filters: { conditions: [{ column, operator: 'eq', ...more }] },
});

/** Each operation with this text in its parameters. */
const entered = (text: string): ReadonlyArray<readonly [Operation, object]> => [
	[create, { inputMode: 'fields', agentId: text, toPhoneNumber: text, options: { mark: text } }],
	[create, { inputMode: 'json', conversationJson: text }],
	[create, { inputMode: 'fields', agentId: AGENT, toPhoneNumber: PHONE, defaultCountry: text }],
	[createBatch, { inputMode: 'fields', customer: { identifier: text, phoneNumber: text } }],
	[
		createBatch,
		{ inputMode: 'fields', customer: { identifier: 'A', email: text, priority: text } },
	],
	[createBatch, { inputMode: 'json', customerJson: text }],
	[search, { filterMode: 'json', filtersJson: text }],
	[search, on('title', { value: text, operator: 'contains' })],
	[search, on('createdAt', { dateValue: text })],
	[search, on('ticketNumber', { numberValue: text })],
	[get, { conversationId: text, options: { finishedStates: text } }],
];

const redact = createRedactor(['key-aab0aab123', 'aaaaaaaaaaaaaaab1', '/\\k1234567', 'k']);

it.each(hostile)(
	'does no more than linear work on %s, entered or sent by a service',
	async (_, text) => {
		const bodies = [
			text,
			{ message: text, issues: [text] },
			{ data: [{ id: text, createdAt: text }] },
		];
		for (const [operation, parameters] of entered(text))
			for (const response of [reply(200, '{}'), ...bodies.map((body) => reply(400, body))]) {
				const { context } = fakeRuntime(() => response);
				expect((await runRows(operation, [{ parameters }], context())).rows).toHaveLength(1);
			}
		const page = reply(200, {
			data: [{ id: text, ticketNumber: 1, createdAt: text }],
			metadata: {},
		});
		const { context } = fakeRuntime(() => page);
		const read = { parameters: { ...on('createdAt', { dateValue: '2026-01-31' }), limit: 5 } };
		expect((await runRows(search, [read], context())).rows).toHaveLength(1);
		const started = await runRows(get, [{ parameters: { conversationId: uuidOf(1) } }], context());
		expect(started.rows).toHaveLength(1);
		expect(redact(text).length).toBeGreaterThan(0);
	},
);

it('does not run out of stack with deep JSON, which is refused', async () => {
	const customerJson = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
	const { context } = fakeRuntime(() => reply(200, '{}'));
	const row = { parameters: { inputMode: 'json', customerJson } };
	const { rows } = await runRows(createBatch, [row], context());
	expect(JSON.stringify(rows[0]?.failure)).toContain(`nested deeper than ${MAX_DEPTH} levels`);
});
