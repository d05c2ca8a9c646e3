import get from 'lodash/get';
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { credentialLabelOf } from '../../src/core/credential';
import type { Label } from '../../src/core/describeFailure';
import { customerFields } from '../../src/customers/customer';

type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** Names a field as the panel shows it: ['filters', 'conditions', 2, 'dateValue'] is "Filters > Condition 3 > Date". */
export const createLabeler =
	(properties: readonly INodeProperties[], parameters: () => unknown = () => ({})): Label =>
	(path) => {
		const [first, second] = path;
		if (first === 'credential')
			return `Credential > ${credentialLabelOf(second) ?? 'Conversation Desk'}`;
		const names: string[] = [];
		let parts: readonly Part[] = properties;
		let values: unknown = parameters();
		let holder: Part | undefined;
		for (const key of path) {
			if (typeof key === 'number') {
				names.push(`${names.pop() ?? 'Item'} ${key + 1}`);
			} else if (key !== 'value' || !isWrapper(holder)) {
				const part = findShown(parts, key, values);
				const name = part
					? labelOf(part)
					: ((String(first).startsWith('customer') ? customerLabel(key) : undefined) ?? key);
				// The panel shows no name for a group of fields, or for rows with the name of their list.
				if (!isGrouped(holder) && names.at(-1) !== name) names.push(name);
				holder = part;
				parts = childrenOf(part);
			}
			values = get(values, [key]);
		}
		return names.join(' > ') || 'Input';
	};

/** Whether n8n wraps the value of a parameter in an object. */
const isWrapper = (part: Part | undefined): boolean =>
	part !== undefined && 'type' in part && ['resourceLocator', 'resourceMapper'].includes(part.type);

/** Whether a parameter is a collection with one group of fields instead of rows. */
const isGrouped = (part: Part | undefined): boolean =>
	part !== undefined &&
	'type' in part &&
	part.type === 'fixedCollection' &&
	part.typeOptions?.multipleValues !== true;

function findShown(parts: readonly Part[], key: string, values: unknown): Part | undefined {
	const named = parts.filter(({ name }) => name === key);
	const shown = named.find((part) => 'type' in part && isShown(part, values));
	return shown ?? named[0];
}

function isShown(property: INodeProperties, values: unknown): boolean {
	if (typeof values !== 'object' || values === null) return false;
	return NodeHelpers.displayParameter({ ...values } as INodeParameters, property, null, null);
}

const labelOf = (part: Part): string => ('displayName' in part ? part.displayName : part.name);

function childrenOf(part: Part | undefined): readonly Part[] {
	if (part === undefined) return [];
	if ('values' in part) return part.values;
	return 'options' in part ? (part.options ?? []) : [];
}

const customerLabel = (key: string): string | undefined =>
	Object.entries(customerFields).find(([name]) => name === key)?.[1].label;
