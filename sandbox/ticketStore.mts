import { columns } from './columns.mts';
import type { Column } from './columns.mts';
import { createIndexes, dropIndexes, openDatabase } from './database.mts';
import { whereClause } from './filterSql.mts';
import type { Random } from './random.mts';
import { orderClause } from './orderSql.mts';
import type { TicketQuery } from './searchSchema.mts';
import { inventTicket, inventTickets } from './seedTickets.mts';
import { boundValue, boundValues } from './ticket.mts';
import type { Ticket, TicketPart } from './ticket.mts';

const bulk = 20_000;
const allColumns = columns.map((name) => `"${name}"`).join(', ');
const insertRow = `INSERT INTO tickets VALUES (${columns.map(() => '?').join(', ')})`;

/** The tickets of the sandbox. */
export type TicketStore = ReturnType<typeof openTicketStore>;

function toWire(row: Record<string, unknown>): TicketPart {
	if ('isShared' in row) row['isShared'] = row['isShared'] === 1;
	return row as TicketPart;
}

/** Opens an empty store of tickets; `now` is in ms, `random` draws what a new ticket leaves out. */
export function openTicketStore(now: () => number, random: Random) {
	const database = openDatabase();
	const number = (sql: string): number => Number(database.prepare(sql).get()?.['value'] ?? 0);
	const count = () => number('SELECT count(*) AS value FROM tickets');
	const nextNumber = () =>
		number('SELECT max(0, max(ticketNumber)) + 1 AS value FROM tickets') || 1;

	const insertAll = (tickets: Iterable<Ticket>): string[] => {
		const ids: string[] = [];
		database.run('BEGIN');
		try {
			const statement = database.prepare(insertRow);
			for (const ticket of tickets) {
				statement.run(...boundValues(ticket));
				ids.push(String(ticket.id));
			}
		} catch (error) {
			database.run('ROLLBACK');
			throw error;
		}
		database.run('COMMIT');
		return ids;
	};

	return {
		count,
		close: database.close,
		all: (): Ticket[] =>
			database.prepare('SELECT * FROM tickets ORDER BY rowid').all().map(toWire) as Ticket[],
		seed: (amount: number): void => {
			const plan = { count: amount, firstNumber: nextNumber(), now: now(), random };
			if (amount >= bulk) database.run(dropIndexes);
			insertAll(inventTickets(plan));
			database.run(createIndexes);
		},
		insert: (parts: readonly TicketPart[]): string[] => {
			const first = nextNumber();
			const times = { createdAt: now(), now: now() };
			return insertAll(
				parts.map((part, index) => ({ ...inventTicket(random, first + index, times), ...part })),
			);
		},
		delete: (ids: readonly string[]): number => {
			const statement = database.prepare('DELETE FROM tickets WHERE id = ?');
			return ids.reduce((sum, id) => sum + Number(statement.run(id).changes), 0);
		},
		change: (id: string, part: TicketPart): boolean => {
			const values = { updatedAt: new Date(now()).toISOString(), ...part };
			const names = Object.keys(values) as Column[];
			const set = names.map((name) => `"${name}" = ?`).join(', ');
			const bound = names.map((name) => boundValue(values[name] ?? null));
			const statement = database.prepare(`UPDATE tickets SET ${set} WHERE id = ?`);
			return Number(statement.run(...bound, id).changes) > 0;
		},
		randomIds: (amount: number): string[] => {
			const top = number('SELECT max(rowid) AS value FROM tickets');
			const statement = database.prepare('SELECT id FROM tickets WHERE rowid >= ? LIMIT 1');
			const ids = new Set<string>();
			for (let attempt = 0; ids.size < amount && attempt < amount * 20; attempt += 1) {
				const id = statement.get(Math.ceil(random() * top))?.['id'];
				if (id !== undefined) ids.add(String(id));
			}
			return [...ids];
		},
		clear: (): void => database.run('DELETE FROM tickets'),
		/** A page, and whether there are more. */
		search: (query: TicketQuery): { rows: TicketPart[]; hasNextPage: boolean } => {
			const where = whereClause(query.filters, now());
			const names = query.columns?.map((name) => `"${name}"`).join(', ') ?? allColumns;
			const found = database
				.prepare(
					`SELECT ${names || 'NULL'} FROM tickets WHERE ${where.text} ` +
						`ORDER BY ${orderClause(query.sort)} LIMIT ? OFFSET ?`,
				)
				.all(...where.values, query.limit + 1, query.offset);
			const rows = found.slice(0, query.limit).map(names === '' ? () => ({}) : toWire);
			return { rows, hasNextPage: found.length > query.limit };
		},
	};
}
