import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { customerFields } from '../../src/customers/customer';

/** The fields of a customer, for the resource mapper. */
export async function getCustomerFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return {
		fields: Object.entries(customerFields).map(([id, { label, type, required }]) => ({
			id,
			displayName: label,
			type,
			required,
			defaultMatch: false,
			display: true,
		})),
	};
}
