import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Row } from '../../src/core/operation';

/** Reads the parameters of one input row; hidden ones are missing. */
export function readParameters(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
	item: number,
): Row {
	// n8n makes the tool for agents from the same class, under a name of its own.
	const read = new Map<string, unknown>([
		['asTool', context.getNode().type.endsWith('Tool')],
		['inputRow', context.getInputData()[item]?.json ?? {}],
	]);
	for (const property of distinct(properties)) {
		const value: unknown = context.getNodeParameter(property.name, item, null, {
			skipValidation: true,
		});
		if (value === null) continue;
		if (property.type === 'resourceMapper')
			read.set(`${property.name}Mapping`, (value as Mapper).mappingMode);
		read.set(
			property.name,
			property.type === 'resourceMapper' ? mappedFields(context, value, item) : value,
		);
	}
	return { parameters: Object.fromEntries(read) };
}

/** Like readParameters, but an expression that fails is a problem of its row: for nodes that continue on errors. */
export function tryReadParameters(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
	item: number,
): Row {
	try {
		return readParameters(context, properties, item);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return { problems: [{ path: [], message: `could not be read: ${message}` }] };
	}
}

const distinct = (properties: readonly INodeProperties[]): INodeProperties[] =>
	properties.filter(
		({ name, type }, index) =>
			type !== 'notice' && properties.findIndex((other) => other.name === name) === index,
	);

interface Mapper {
	readonly mappingMode?: string;
	readonly value?: unknown;
}

/** The fields of a resource mapper: those mapped by hand, or the columns of the input row. */
function mappedFields(context: IExecuteFunctions, mapper: unknown, item: number): unknown {
	const { mappingMode, value } = mapper as Mapper;
	return mappingMode === 'autoMapInputData' ? context.getInputData()[item]?.json : (value ?? {});
}
