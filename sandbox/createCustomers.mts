import { customer, customerBatch } from './customerSchema.mts';
import type { Customer } from './customerSchema.mts';
import type { CustomerStore } from './customerStore.mts';
import { randomUuid } from './random.mts';
import { json, refusal } from './reply.mts';
import type { Issue, Reply } from './reply.mts';
import type { World } from './world.mts';

interface Checked {
	valid: Customer[];
	issues: Issue[];
}

function checkSchema(rows: readonly unknown[]): Array<Customer | Issue[]> {
	return rows.map((row, index) => {
		const parsed = customer.safeParse(row);
		if (parsed.success) return parsed.data;
		return parsed.error.issues.map((issue) => ({
			...issue,
			path: ['customers', index, ...issue.path],
			code: issue.code,
		}));
	});
}

/** An insert takes an identifier once: it must not be stored, nor stand twice in the batch. */
function refuseKnown(rows: Array<Customer | Issue[]>, store: CustomerStore): Checked {
	const seen = new Set<string>();
	const checked: Checked = { valid: [], issues: [] };
	for (const [index, row] of rows.entries()) {
		if (Array.isArray(row)) {
			checked.issues.push(...row);
			continue;
		}
		const { identifier } = row;
		if (store.has(identifier) || seen.has(identifier)) {
			store.refuse(identifier);
			checked.issues.push({
				path: ['customers', index, 'identifier'],
				message: 'A customer with this identifier already exists',
				code: 'custom',
			});
			continue;
		}
		seen.add(identifier);
		checked.valid.push(row);
	}
	return checked;
}

function check(rows: Array<Customer | Issue[]>): Checked {
	return {
		valid: rows.flatMap((row) => (Array.isArray(row) ? [] : [row])),
		issues: rows.flatMap((row) => (Array.isArray(row) ? row : [])),
	};
}

/** POST /customers/batch: stores all customers or none, or with `partial` those without errors. */
export function createCustomers(world: World, body: unknown): Reply {
	const envelope = customerBatch.safeParse(body);
	if (!envelope.success) return refusal(400, envelope.error.issues as Issue[]);
	const { customers, strategy, partial } = envelope.data;
	const rows = checkSchema(customers);
	const { valid, issues } =
		strategy === 'insert' ? refuseKnown(rows, world.customers) : check(rows);
	if (issues.length > 0 && !partial) return refusal(400, issues);
	const jobId = randomUuid(world.random);
	for (const row of valid) world.customers[strategy](row, jobId);
	return json(200, { jobId });
}
