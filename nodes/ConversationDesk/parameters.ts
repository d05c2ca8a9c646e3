import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Row } from '../../src/core/operation';
import type { Fill } from './fromRow';
import { fromRow, holdsExpression } from './fromRow';

/** Reads the parameters of the input row at a position; hidden ones are missing. */
export type ReadRow = (item: number) => Row;

/** Makes a reader of rows: parameters without an expression are the same for all of them and are read once. */
export function rowReader(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
): ReadRow {
	const input = context.getInputData();
	let divided: Divided | undefined;
	// n8n makes the tool for agents from the same class, under a name of its own.
	const asTool = context.getNode().type.endsWith('Tool');
	return (item) => {
		// With the first row, so that a failure here is one of rows.
		divided ??= divide(context, properties, asTool);
		const { same, mapped, varying } = divided;
		const inputRow = input[item]?.json ?? {};
		const parameters: Record<string, unknown> = { ...same, asTool, inputRow };
		for (const { name, fill } of varying) {
			const value: unknown =
				fill?.(inputRow) ?? context.getNodeParameter(name, item, null, { skipValidation: true });
			if (value !== null) parameters[name] = value;
		}
		for (const name of mapped) {
			const { mappingMode, value } = parameters[name] as Mapper;
			parameters[`${name}Mapping`] = mappingMode;
			// The fields are the columns of the input row, or those mapped by hand.
			parameters[name] = mappingMode === 'autoMapInputData' ? input[item]?.json : (value ?? {});
		}
		return { parameters };
	};
}

/** Reads rows, but an expression that fails is a problem of its row: for nodes that continue on errors. */
export const tryingReader =
	(read: ReadRow): ReadRow =>
	(item) => {
		try {
			return read(item);
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			return { problems: [{ path: [], message: `could not be read: ${message}` }] };
		}
	};

/** What all rows have in common, what is read for each of them, and the names of resource mappers. */
interface Divided {
	readonly same: Readonly<Record<string, unknown>>;
	readonly varying: ReadonlyArray<{ readonly name: string; readonly fill: Fill | undefined }>;
	readonly mapped: readonly string[];
}

function divide(
	context: IExecuteFunctions,
	properties: readonly INodeProperties[],
	asTool: boolean,
): Divided {
	const same: Record<string, unknown> = {};
	const varying: Array<{ name: string; fill: Fill | undefined }> = [];
	const mapped: string[] = [];
	for (const { name, type } of distinct(properties)) {
		const raw: unknown = context.getNodeParameter(name, 0, null, { rawExpressions: true });
		if (raw === null) continue;
		if (type === 'resourceMapper') mapped.push(name);
		if (holdsExpression(raw)) varying.push({ name, fill: asTool ? undefined : fromRow(raw) });
		else same[name] = context.getNodeParameter(name, 0, null, { skipValidation: true });
	}
	return { same, mapped, varying };
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
