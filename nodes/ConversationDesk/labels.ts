import { get } from 'lodash';
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
			const isWrapper = key === 'value' && WRAPPERS.includes(get(holder, 'type'));
			if (typeof key === 'number') {
				names.push(`${names.pop() ?? 'Item'} ${key + 1}`);
			} else if (!isWrapper) {
				const part = findShown(parts, key, values);
				// The fields of the mapper are not parameters.
				const fields = String(first).startsWith('customer') ? customerFields : {};
				const name = get(part, 'displayName', part?.name) ?? get(fields, [key, 'label'], key);
				// The panel shows no name for a group of fields, or for rows with the name of their list.
				if (!isGrouped(holder) && names.at(-1) !== name) names.push(name);
				holder = part;
				parts = get(part, 'values', get(part, 'options', []));
			}
			values = get(values, [key]);
		}
		// A field of a customer is named as in its row.
		if (String(first).startsWith('customer') && names.length > 1) names.shift();
		return names.join(' > ') || 'Input';
	};

/** The types of parameters whose value n8n wraps in an object. */
const WRAPPERS: readonly unknown[] = ['resourceLocator', 'resourceMapper'];

/** Whether a parameter is a collection with one group of fields instead of rows. */
const isGrouped = (part: Part | undefined): boolean =>
	get(part, 'type') === 'fixedCollection' && get(part, 'typeOptions.multipleValues') !== true;

/** Finds the parameter or option of a name that the panel shows, because several may have the same name. */
function findShown(parts: readonly Part[], key: string, values: unknown): Part | undefined {
	const named = parts.filter(({ name }) => name === key);
	const siblings = Object(values) as INodeParameters;
	const shown = named.find(
		(part) => 'type' in part && NodeHelpers.displayParameter(siblings, part, null, null),
	);
	return shown ?? named[0];
}
