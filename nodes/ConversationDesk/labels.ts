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
import type { Path } from './enteredParameters';

type Part = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** Creates a function that names a field by its path: ['filters', 'conditions', 2, 'dateValue'] is "Filters > Condition 3 > Date". */
export const createLabeler =
	(properties: readonly INodeProperties[], readValues: () => unknown = () => ({})): Label =>
	(path) => {
		const [first, second] = path;
		if (first === 'credential')
			return `Credential > ${credentialLabelOf(second) ?? 'Conversation Desk'}`;
		if (first === 'inputRow') return 'Input';
		const names = listShownNames(path, properties, readValues());
		// A field of `customer` or `customerJson` is named without its parameter.
		const isCustomerField = String(first).startsWith('customer') && names.length > 1;
		return (isCustomerField ? names.slice(1) : names).join(' > ') || 'Input';
	};

/** Lists the names that the panel shows on the way to a field. They may depend on the entered values. */
function listShownNames(path: Path, properties: readonly Part[], entered: unknown): string[] {
	const names: string[] = [];
	let parts = properties;
	let values = entered;
	/** The parameter or option that contains the next key. */
	let holder: Part | undefined;
	for (const key of path) {
		const isWrapped = key === 'value' && WRAPPED_TYPES.includes(get(holder, 'type')); // The panel shows no name for it.
		if (typeof key === 'number') {
			names.push(`${names.pop() ?? 'Item'} ${key + 1}`); // Rows are counted from 1.
		} else if (!isWrapped) {
			const part = findShown(parts, key, values);
			// A field of a customer is no parameter, so it has its label elsewhere.
			const field = String(path[0]).startsWith('customer') && get(customerFields, [key, 'label']);
			const name = get(part, 'displayName', part?.name) ?? (field || key);
			// The panel shows no name for the only group of a holder, or for rows named like their list.
			if (!hasOneGroup(holder) && names.at(-1) !== name) names.push(name);
			holder = part;
			parts = get(part, 'values', get(part, 'options', []));
		}
		values = get(values, [key]);
	}
	return names;
}

/** The types of parameters whose content n8n puts into a `value`, which has no name in the panel. */
const WRAPPED_TYPES: readonly unknown[] = ['resourceLocator', 'resourceMapper'];

/** Whether a parameter is a collection with one group of fields instead of rows. */
const hasOneGroup = (part: Part | undefined): boolean =>
	get(part, 'type') === 'fixedCollection' && get(part, 'typeOptions.multipleValues') !== true;

/** Finds the parameter or option of this name that the panel shows, or else the first of this name. */
function findShown(parts: readonly Part[], key: string, values: unknown): Part | undefined {
	const named = parts.filter(({ name }) => name === key);
	const siblings = Object(values) as INodeParameters;
	// Only a parameter, which has a `type`, can be hidden. A group or a choice is the only one of its name.
	const shown = named.find(
		(part) => 'type' in part && NodeHelpers.displayParameter(siblings, part, null, null),
	);
	return shown ?? named[0];
}
