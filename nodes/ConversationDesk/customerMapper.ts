import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import type { CustomerField } from '../../src/customers/customer';
import { customerFields } from '../../src/customers/customer';

/** The fields of a customer, for the resource mapper. */
export async function getCustomerFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	return {
		fields: Object.entries<CustomerField>(customerFields).map(
			([id, { label, type, required, options }]) => ({
				id,
				displayName: label,
				type,
				required,
				...(options && { options: [...options] }),
				defaultMatch: false,
				display: true,
			}),
		),
	};
}
