import fc from 'fast-check';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { readRowParameters } from '../../nodes/ConversationDesk/parameters';
import type { Row } from '../../src/core/operation';
import { nodeContext } from '../support/nodeContext';
import { propertyRuns } from '../support/propertyRuns.mjs';

const property = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'json',
	default: '',
});

const properties = ['entered', 'more'].map(property);

const contextOf = (parameters: INodeParameters, rows: readonly IDataObject[]): IExecuteFunctions =>
	nodeContext({ description: { properties }, parameters, rows });

/** The value that n8n reads for each row, or the message of its error. */
const readings = (count: number, read: (item: number) => unknown): unknown[] =>
	Array.from({ length: count }, (_, item) => {
		try {
			return { value: read(item) };
		} catch (error) {
			return { error: `could not be read: ${(error as Error).message}` };
		}
	});

const names = ['phone', 'Phone Number', 'a.b', 'größe', "Don't Call", '$x', 'toString'];
const expressions = [
	...names.flatMap((name) => [
		`={{ $json.${name} }}`,
		`={{$json["${name}"]}}`,
		`={{ $json['${name}'] }}`,
		`={{ $json.${name} }} `,
		`= {{ $json.${name} }}`,
		`={{ $json.${name} }}{{ $json.phone }}`,
		`={{ $json["${name}"].length }}`,
		`={{ $json.${name} ?? 'none' }}`,
	]),
	'={{ $json }}',
	'={{ $json["phone] }}',
	'={{ $json[phone] }}',
	'={{ $json["a}}b"] }}',
	'={{ 1 + 1 }}',
];
const leaf = fc.oneof(
	{ weight: 5, arbitrary: fc.constantFrom(...expressions) },
	fc.constantFrom('plain', '', 7, true),
);
const parameter = fc.oneof(
	leaf,
	fc.record({ variables: fc.array(fc.record({ name: leaf, value: leaf }), { maxLength: 3 }) }),
);
const value = fc.oneof(
	fc.constantFrom<unknown[]>(
		'',
		'+14155550178',
		' x ',
		'=1',
		'={{ 2 }}',
		'{{ 2 }}',
		0,
		-1.5,
		true,
		false,
	),
	fc.constantFrom<unknown[]>(null, [1], { deep: 'x' }, '2026-11-21T00:00:00.000Z'),
);
const row = fc.dictionary(fc.constantFrom(...names), value);

// Empty parts, which other tests check, are faults by default.
const facts = { perRow: true, gap: 'isAllowed' } as const;
const declared = { entered: facts, more: facts };

const parametersOf = (row: Row | undefined): object =>
	row && 'parameters' in row ? Object(row.parameters) : {};

it('reads the same as n8n for every parameter and row', () => {
	fc.assert(
		fc.property(parameter, fc.array(row, { minLength: 1, maxLength: 4 }), (entered, rows) => {
			const context = contextOf({ entered } as INodeParameters, rows as IDataObject[]);
			const ours = Array.from(readRowParameters(context, declared), (row) => {
				const [problem] = row.problems ?? [];
				return problem
					? { error: problem.reason }
					: { value: Reflect.get(parametersOf(row), 'entered') };
			});
			// Rows have no parameter where n8n has null.
			const theirs = readings(
				rows.length,
				(item) => context.getNodeParameter('entered', item, null) ?? undefined,
			);
			expect(ours).toEqual(theirs);
		}),
		propertyRuns(1_000),
	);
});

it('asks n8n nothing for parameters that are fields of each row', () => {
	const rows = Array.from({ length: 50 }, (_, i) => ({
		phone: `${1000 + i}`,
		'First Name': 'Ada',
	}));
	const parameters: INodeParameters = {
		entered: '={{ $json.phone }}',
		more: { variables: [{ name: 'first', value: "={{ $json['First Name'] }}" }] },
	};
	const context = contextOf(parameters, rows);
	const getParameter = jest.spyOn(context, 'getNodeParameter');
	const read = [...readRowParameters(context, declared)];
	for (const item of rows.keys()) {
		expect(parametersOf(read[item])).toMatchObject({
			entered: `${1000 + item}`,
			more: { variables: [{ name: 'first', value: 'Ada' }] },
		});
	}
	expect(getParameter).not.toHaveBeenCalled();
});
