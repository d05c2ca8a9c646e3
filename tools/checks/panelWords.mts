import { createRequire } from 'node:module';
import { join } from 'node:path';
import { aliases, comparableName, NAME_PARTS } from '../../src/customers/aliases.ts';
import { root } from './check.mts';

interface Part {
	readonly displayName?: string;
	readonly name: string;
	/** What n8n's list of actions says of an operation. */
	readonly action?: string;
	readonly options?: readonly Part[];
	readonly values?: readonly Part[];
	/** How a value is entered: from a list, by ID. */
	readonly modes?: readonly Part[];
	readonly displayOptions?: { readonly show?: Readonly<Record<string, readonly unknown[]>> };
}

interface Described {
	readonly description: { readonly displayName: string; readonly properties: readonly Part[] };
}

const require = createRequire(import.meta.url);
const built = (...path: string[]): unknown => require(join(root, 'dist', ...path));

/** Every label and every choice of the panels of the built nodes and their credential, choices also as "Parameter: Choice". */
export async function panelWords(): Promise<ReadonlySet<string>> {
	const { ConversationDesk } = built('nodes', 'ConversationDesk', 'ConversationDesk.node.js') as {
		ConversationDesk: new () => Described;
	};
	const { ConversationDeskTrigger } = built(
		'nodes',
		'ConversationDesk',
		'ConversationDeskTrigger.node.js',
	) as { ConversationDeskTrigger: new () => Described };
	const { ConversationDeskApi } = built('credentials', 'ConversationDeskApi.credentials.js') as {
		ConversationDeskApi: new () => { displayName: string; properties: readonly Part[] };
	};
	const { lists } = built('nodes', 'ConversationDesk', 'runs.js') as {
		lists: {
			getCustomerFields: () => Promise<{ fields: ReadonlyArray<{ displayName: string }> }>;
		};
	};
	const { fields } = await lists.getCustomerFields();
	const nodes = [new ConversationDesk().description, new ConversationDeskTrigger().description];
	const credential = new ConversationDeskApi();
	return new Set([
		...[...nodes, credential].flatMap((part) => [part.displayName, ...wordsOf(part.properties)]),
		...fields.map(({ displayName }) => displayName),
	]);
}

const labelOf = ({ displayName, name }: Part): string => displayName ?? name;

function wordsOf(parts: readonly Part[]): string[] {
	return parts.flatMap((part) => {
		const inner = [...(part.options ?? []), ...(part.values ?? []), ...(part.modes ?? [])];
		const choices = inner.map((choice) => `${labelOf(part)}: ${labelOf(choice)}`);
		return [labelOf(part), ...choices, ...operationsOf(part), ...wordsOf(inner)];
	});
}

/** "Ticket: Search" and the action: operations are named with their resource. */
function operationsOf({ name, options = [], displayOptions }: Part): string[] {
	if (name !== 'operation') return [];
	const resource = String(displayOptions?.show?.['resource']?.[0] ?? '');
	const title = resource.charAt(0).toUpperCase() + resource.slice(1);
	return options.flatMap(({ name, action = name }) => [`${title}: ${name}`, action]);
}

/** Whether the mapper recognises a column of this name. */
export const isKnownHeader = (name: string): boolean =>
	[...Object.keys(aliases), ...Object.values(aliases).flat(), ...NAME_PARTS].some(
		(known) => comparableName(known) === comparableName(name),
	);
