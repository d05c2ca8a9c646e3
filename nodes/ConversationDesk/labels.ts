import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { credentialLabels } from '../../src/core/credential';
import type { Label } from '../../src/core/explain';
import { customerFields } from '../../src/customers/customer';

type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** Names fields as the panel does: ['filters', 'conditions', 2, 'dateValue'] is "Filters > Condition 3 > Value". */
export const labelIn =
	(properties: readonly INodeProperties[]): Label =>
	(path) => {
		const [first, second] = path;
		if (first === 'credential') return `Credential > ${credentialLabel(second)}`;
		const names: string[] = [];
		let parts: readonly Part[] = properties;
		for (const key of path) {
			if (typeof key === 'number') {
				names.push(`${names.pop() ?? 'Item'} ${key + 1}`);
				continue;
			}
			const part = parts.find(({ name }) => name === key);
			names.push(part ? labelOf(part) : (customerLabel(key) ?? key));
			parts = childrenOf(part);
		}
		return names.join(' > ') || 'Input';
	};

const labelOf = (part: Part): string => ('displayName' in part ? part.displayName : part.name);

function childrenOf(part: Part | undefined): readonly Part[] {
	if (part === undefined) return [];
	if ('values' in part) return part.values;
	return 'options' in part ? (part.options ?? []) : [];
}

const credentialLabel = (key: unknown): string =>
	Object.entries(credentialLabels).find(([name]) => name === key)?.[1] ?? 'Conversation Desk';

const customerLabel = (key: string): string | undefined =>
	Object.entries(customerFields).find(([name]) => name === key)?.[1].label;
