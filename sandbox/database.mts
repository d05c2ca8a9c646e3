import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import { columnKinds, columns, requiredColumns } from './columns.mts';
import type { Column } from './columns.mts';
import { matchesLike } from './likePattern.mts';

/** An in-memory database of tickets that prepares every statement once. */
export interface Database {
	run: (sql: string) => void;
	prepare: (sql: string) => StatementSync;
	close: () => void;
}

const indexes = {
	tickets_id: '(id)',
	tickets_number: '(ticketNumber)',
	tickets_created: '(createdAt DESC, id)',
	tickets_updated: '(updatedAt)',
	tickets_status: '(statusId, ticketNumber)',
	tickets_priority: '(priority, ticketNumber)',
	tickets_title: '(title, ticketNumber, id)',
};

/** Statements that drop the indexes, for a bulk load. */
export const dropIndexes = Object.keys(indexes)
	.map((name) => `DROP INDEX IF EXISTS ${name};`)
	.join('\n');

/** Statements that create the indexes. */
export const createIndexes = Object.entries(indexes)
	.map(([name, keys]) => {
		const unique = name === 'tickets_id' ? 'UNIQUE ' : '';
		return `CREATE ${unique}INDEX IF NOT EXISTS ${name} ON tickets ${keys};`;
	})
	.join('\n');

function columnDefinition(column: Column): string {
	const kind = columnKinds[column];
	const type = kind === 'number' || kind === 'boolean' ? 'INTEGER' : 'TEXT';
	return `"${column}" ${type}${requiredColumns.has(column) ? ' NOT NULL' : ''}`;
}

/** Opens an empty in-memory database of tickets. */
export function openDatabase(): Database {
	const database = new DatabaseSync(':memory:');
	database.exec(`CREATE TABLE tickets (${columns.map(columnDefinition).join(', ')});`);
	database.exec(createIndexes);
	database.function('matches_like', { deterministic: true }, (value, pattern, ignoreCase) =>
		value === null ? null : Number(matchesLike(String(value), String(pattern), ignoreCase === 1)),
	);
	const statements = new Map<string, StatementSync>();
	return {
		run: (sql) => database.exec(sql),
		prepare: (sql) => {
			const known = statements.get(sql);
			if (known) return known;
			if (statements.size > 500) statements.clear();
			const statement = database.prepare(sql);
			statements.set(sql, statement);
			return statement;
		},
		close: () => database.close(),
	};
}
