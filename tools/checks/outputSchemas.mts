import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.mts';
import { root, verdict } from './check.mts';

interface Schema {
	readonly type?: unknown;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly anyOf?: unknown;
}

const folder = join(root, 'dist', 'nodes', 'ConversationDesk', '__schema__', 'v1.0.0');

/** Fields of which the interface leaves the type open. */
const open = ['response'];

/** What n8n's editor could not show of an output schema before the first run: it reads `type` and `properties` only. */
export function unshown(schema: Schema): string[] {
	const fields = Object.entries(schema.properties ?? {});
	if (schema.type !== 'object' || fields.length === 0) return ['it has no fields'];
	return fields
		.filter(([name, { type }]) => type === undefined && !open.includes(name))
		.map(([name]) => `${name} has no type`);
}

/** The built output schemas can be shown by n8n's editor. */
export const schemaCheck: Check = {
	name: 'output schemas that the editor can show',
	work: async () => {
		const entries = await readdir(folder, { recursive: true });
		const files = entries.filter((name) => name.endsWith('.json'));
		const found = await Promise.all(
			files.map(async (name) => {
				const schema = JSON.parse(await readFile(join(folder, name), 'utf8')) as Schema;
				return unshown(schema).map((problem) => `${name}: ${problem}`);
			}),
		);
		const problems = files.length === 0 ? ['there is none'] : found.flat();
		return verdict(problems.length > 0 ? problems.join('\n') : undefined);
	},
};
