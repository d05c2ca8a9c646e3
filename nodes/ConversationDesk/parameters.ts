import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Problem } from '../../src/core/failures';
import type { Row } from '../../src/core/operation';

/** Reads the parameters of one input row; hidden ones are missing. */
export function readParameters(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
	item: number,
): Row {
	const read = new Map<string, unknown>();
	const problems: Problem[] = [];
	for (const property of distinct(properties)) {
		const problem = rowsAsExpression(context, property, item);
		if (problem) {
			problems.push(problem);
			continue;
		}
		const value: unknown = context.getNodeParameter(property.name, item, null, {
			skipValidation: true,
		});
		if (value === null) continue;
		read.set(
			property.name,
			property.type === 'resourceMapper' ? mappedFields(context, value, item) : value,
		);
	}
	return problems.length > 0 ? { problems } : { parameters: Object.fromEntries(read) };
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

/**
 * An expression where rows belong resolves to nothing, or to rows of single letters, and a filter would be gone:
 * it is refused.
 */
function rowsAsExpression(
	context: IExecuteFunctions,
	property: INodeProperties,
	item: number,
): Problem | undefined {
	if (property.type !== 'fixedCollection') return undefined;
	const raw: unknown = context.getNodeParameter(property.name, item, null, {
		rawExpressions: true,
	});
	const lists = typeof raw === 'object' && raw !== null ? Object.values(raw) : [raw];
	if (!lists.some((list) => typeof list === 'string')) return undefined;
	return {
		path: [property.name],
		message:
			'is an expression, which cannot make rows. Add the rows one by one with expressions in their fields, or choose JSON instead',
	};
}

interface Mapper {
	readonly mappingMode?: string;
	readonly value?: unknown;
}

/** The fields of a resource mapper: those mapped by hand, or the columns of the input row. */
function mappedFields(context: IExecuteFunctions, mapper: unknown, item: number): unknown {
	const { mappingMode, value } = mapper as Mapper;
	return mappingMode === 'autoMapInputData' ? context.getInputData()[item]?.json : (value ?? {});
}
