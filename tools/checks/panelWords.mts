import { createRequire } from 'node:module';
import { join } from 'node:path';
import { aliases, comparableName, NAME_PARTS } from '../../src/customers/aliases.ts';
import { root } from './check.mts';

/** A parameter, a choice or a group of a panel. */
interface Part {
	readonly displayName?: string;
	readonly name: string;
	/** The text of an operation in n8n's list of actions. */
	readonly action?: string;
	readonly options?: readonly Part[];
	readonly values?: readonly Part[];
	/** The ways to enter a value, for example by ID. */
	readonly modes?: readonly Part[];
	readonly displayOptions?: { readonly show?: Readonly<Record<string, readonly unknown[]>> };
}

interface Panel {
	readonly displayName: string;
	readonly properties: readonly Part[];
}

type NodeClass = new () => { readonly description: Panel };

const require = createRequire(join(root, 'dist', 'index.js'));

/** Lists every label and choice of the built panels; a choice also as "Parameter: Choice". */
export async function panelWords(): Promise<ReadonlySet<string>> {
	const folder = './nodes/ConversationDesk';
	const { ConversationDesk: Action } = require(`${folder}/ConversationDesk.node.js`) as {
		ConversationDesk: NodeClass;
	};
	const { ConversationDeskTrigger: Trigger } = require(
		`${folder}/ConversationDeskTrigger.node.js`,
	) as { ConversationDeskTrigger: NodeClass };
	const { ConversationDeskApi: Credential } =
		require('./credentials/ConversationDeskApi.credentials.js') as {
			ConversationDeskApi: new () => Panel;
		};
	const { lists } = require(`${folder}/lazy.js`) as {
		lists: { getCustomerFields: () => Promise<{ fields: readonly Panel[] }> };
	};
	const { fields } = await lists.getCustomerFields();
	const panels = [new Action().description, new Trigger().description, new Credential()];
	return new Set([
		...panels.flatMap(({ displayName, properties }) => [displayName, ...listWords(properties)]),
		...fields.map(({ displayName }) => displayName),
	]);
}

const labelOf = ({ displayName, name }: Part): string => displayName ?? name;

function listWords(parts: readonly Part[]): string[] {
	return parts.flatMap((part) => {
		const inner = [...(part.options ?? []), ...(part.values ?? []), ...(part.modes ?? [])];
		const choices = inner.map((choice) => `${labelOf(part)}: ${labelOf(choice)}`);
		return [labelOf(part), ...choices, ...listOperations(part), ...listWords(inner)];
	});
}

/** Lists the operations with their resource, such as "Ticket: Search", and their actions. */
function listOperations({ name, options = [], displayOptions }: Part): string[] {
	if (name !== 'operation') return [];
	const resource = String(displayOptions?.show?.['resource']?.[0] ?? '');
	const title = resource.charAt(0).toUpperCase() + resource.slice(1);
	return options.flatMap(({ name, action = name }) => [`${title}: ${name}`, action]);
}

/** Whether automatic mapping recognises a column of this name. */
export const isColumnName = (name: string): boolean =>
	[...Object.keys(aliases), ...Object.values(aliases).flat(), ...NAME_PARTS].some(
		(alias) => comparableName(alias) === comparableName(name),
	);
