import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import memoize from 'lodash/memoize.js';
import { columnKinds, columns, requiredColumns } from './columns.mts';
import type { Column } from './columns.mts';
import { whereClause } from './filterSql.mts';
import type { Random } from './random.mts';
import type { TicketQuery } from './searchTickets.mts';
import { inventTicket, inventTickets } from './seedTickets.mts';
import { boundValue, boundValues } from './ticket.mts';
import type { Ticket, TicketPart } from './ticket.mts';

const MAX_STATEMENTS = 500;

const columnList = columns.map((name) => `"${name}"`).join(', ');
const insertRow = `INSERT INTO tickets VALUES (${columns.map(() => '?').join(', ')})`;
/** Statements that create the indexes, which is faster after the first tickets. */
const createIndexes = `
CREATE UNIQUE INDEX IF NOT EXISTS tickets_id ON tickets (id);
CREATE INDEX IF NOT EXISTS tickets_number ON tickets (ticketNumber);
CREATE INDEX IF NOT EXISTS tickets_created ON tickets (createdAt DESC, id);
CREATE INDEX IF NOT EXISTS tickets_updated ON tickets (updatedAt);
CREATE INDEX IF NOT EXISTS tickets_status ON tickets (statusId, ticketNumber);
CREATE INDEX IF NOT EXISTS tickets_priority ON tickets (priority, ticketNumber);
CREATE INDEX IF NOT EXISTS tickets_title ON tickets (title, ticketNumber, id);`;

function defineColumn(column: Column): string {
	const kind = columnKinds[column];
	const type = kind === 'number' || kind === 'boolean' ? 'INTEGER' : 'TEXT';
	return `"${column}" ${type}${requiredColumns.has(column) ? ' NOT NULL' : ''}`;
}

/** Opens an empty in-memory database, and prepares each statement once. */
function openDatabase() {
	const database = new DatabaseSync(':memory:');
	database.exec(`CREATE TABLE tickets (${columns.map(defineColumn).join(', ')})`);
	database.function('matches_like', { deterministic: true }, (value, pattern, ignoreCase) =>
		value === null
			? null
			: Number(toExpression(String(pattern), ignoreCase === 1 ? 'iu' : 'u').test(String(value))),
	);
	const statements = new Map<string, StatementSync>();
	return {
		run: (sql: string) => database.exec(sql),
		prepare: (sql: string): StatementSync => {
			if (statements.size > MAX_STATEMENTS) statements.clear();
			const statement = statements.get(sql) ?? database.prepare(sql);
			statements.set(sql, statement);
			return statement;
		},
		close: () => database.close(),
	};
}

/** Makes a regular expression of an SQL pattern: `%` is any text, `_` one character, `\` escapes. */
const toExpression = memoize(
	(pattern: string, flags: string): RegExp => {
		const escape = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
		const source = pattern.replace(/\\([^])|[^]/gu, (part, escaped?: string) => {
			if (escaped !== undefined) return escape(escaped);
			if (part === '%') return '[^]*';
			return part === '_' ? '[^]' : escape(part);
		});
		return new RegExp(`^${source}$`, flags);
	},
	(pattern, flags) => flags + pattern,
);

/**
 * Turns sort rules into an ORDER BY as PostgreSQL does: empty values are the greatest, enumerations sort as texts.
 * Equal tickets keep the order of their creation; without a rule the newest is first.
 */
function orderClause(sort: TicketQuery['sort']): string {
	const last = sort.at(-1);
	if (!last) return 'createdAt DESC, id';
	const rules = sort.map(({ column, direction }) => {
		const nulls = requiredColumns.has(column) ? '' : direction === 'asc' ? 'LAST' : 'FIRST';
		return `"${column}" ${direction}${nulls && ` NULLS ${nulls}`}`;
	});
	return `${rules.join(', ')}, rowid ${last.direction}`;
}

function toWire(row: Record<string, unknown>): TicketPart {
	if ('isShared' in row) row['isShared'] = row['isShared'] === 1;
	return row as TicketPart;
}

/** The tickets of the sandbox. */
export type TicketStore = ReturnType<typeof openTicketStore>;

/** Opens an empty store of tickets; `now` is in ms, `random` draws missing columns. */
export function openTicketStore(now: () => number, random: Random) {
	const database = openDatabase();
	const readNumber = (sql: string): number => Number(database.prepare(sql).get()?.['value'] ?? 0);
	const nextNumber = () =>
		readNumber('SELECT max(0, max(ticketNumber)) + 1 AS value FROM tickets') || 1;

	const insertAll = (tickets: Iterable<Ticket>): string[] => {
		const ids: string[] = [];
		database.run('BEGIN');
		try {
			const statement = database.prepare(insertRow);
			for (const ticket of tickets) {
				statement.run(...boundValues(ticket));
				ids.push(String(ticket.id));
			}
			database.run(createIndexes);
		} catch (error) {
			database.run('ROLLBACK');
			throw error;
		}
		database.run('COMMIT');
		return ids;
	};

	return {
		count: () => readNumber('SELECT count(*) AS value FROM tickets'),
		close: database.close,
		all: (): Ticket[] =>
			database.prepare('SELECT * FROM tickets ORDER BY rowid').all().map(toWire) as Ticket[],
		seed: (count: number): void => {
			insertAll(inventTickets({ count, firstNumber: nextNumber(), now: now(), random }));
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
			const top = readNumber('SELECT max(rowid) AS value FROM tickets');
			const statement = database.prepare('SELECT id FROM tickets WHERE rowid >= ? LIMIT 1');
			const ids = new Set<string>();
			for (let attempt = 0; ids.size < amount && attempt < amount * 20; attempt += 1) {
				const id = statement.get(Math.ceil(random() * top))?.['id'];
				if (id !== undefined) ids.add(String(id));
			}
			return [...ids];
		},
		/** Returns a page, and whether there are more. */
		search: (query: TicketQuery): { rows: TicketPart[]; hasNextPage: boolean } => {
			const where = whereClause(query.filters, now());
			const names = query.columns?.map((name) => `"${name}"`).join(', ') ?? columnList;
			const tickets = database
				.prepare(
					`SELECT ${names || 'NULL'} FROM tickets WHERE ${where.text} ` +
						`ORDER BY ${orderClause(query.sort)} LIMIT ? OFFSET ?`,
				)
				.all(...where.values, query.limit + 1, query.offset);
			const rows = tickets.slice(0, query.limit).map(names === '' ? () => ({}) : toWire);
			return { rows, hasNextPage: tickets.length > query.limit };
		},
	};
}
