import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listVerdict, root } from './check.mts';
import type { Check } from './check.mts';

interface Schema {
	readonly type?: unknown;
	readonly properties?: Readonly<Record<string, Schema>>;
}

/** A field whose type the interface does not define. */
const UNTYPED = 'response';

/** Checks that the output schemas have the `type` and `properties` that n8n's editor reads. */
export const schemaCheck: Check = {
	name: 'output schemas that the editor can show',
	work: async () => {
		const cwd = join(root, 'dist', 'nodes', 'ConversationDesk', '__schema__', 'v1.0.0');
		const files = globSync('**/*.json', { cwd });
		const problems = files.flatMap((file) => {
			const { type, properties } = JSON.parse(readFileSync(join(cwd, file), 'utf8')) as Schema;
			const fields = Object.entries(properties ?? {});
			if (type !== 'object' || fields.length === 0) return [`${file}: it has no fields`];
			return fields
				.filter(([name, field]) => field.type === undefined && name !== UNTYPED)
				.map(([name]) => `${file}: ${name} has no type`);
		});
		return listVerdict(files.length === 0 ? ['there is none'] : problems);
	},
};
