import {
	columnNames,
	columns,
	priorities,
	sources,
	ticketNumberRange,
} from '../../../src/tickets/columns';
import type { Kind } from '../../../src/tickets/columns';
import { builderOperators } from '../../../src/tickets/filters/builderOperators';
import { listOperators, operatorsByKind } from '../../../src/tickets/operators';
import {
	interfaceColumns,
	interfaceNotNull,
	interfaceNullable,
	interfaceOperators,
	interfaceSources,
} from '../../support/interfaceTable.mts';

const nullable = (value: boolean) =>
	columnNames.filter((name) => 'nullable' in columns[name] && columns[name].nullable === value);

describe('the ticket columns', () => {
	it('are those of the interface', () => {
		expect([...columnNames].sort()).toEqual([...interfaceColumns].sort());
	});

	it('say null where the interface does, and nothing where it is silent', () => {
		expect(nullable(true).sort()).toEqual([...interfaceNullable].sort());
		expect(nullable(false).sort()).toEqual([...interfaceNotNull].sort());
	});

	it('have the values and bounds of the interface', () => {
		expect(Object.keys(sources).sort()).toEqual([...interfaceSources].sort());
		expect(Object.keys(priorities).sort()).toEqual(['high', 'low', 'medium', 'urgent']);
		expect(ticketNumberRange).toEqual({ min: -2147483648, max: 2147483647 });
	});
});

describe('the operators', () => {
	it.each(columnNames)('of %s are those of the interface', (name) => {
		const listed = listOperators(columns[name].kind);
		expect([...listed].sort()).toEqual([...(interfaceOperators.get(name) ?? [])].sort());
	});

	it.each(Object.keys(operatorsByKind) as Kind[])(
		'have labels of their own on columns of %s',
		(kind) => {
			const labels = [...builderOperators(kind).values()].map(({ label }) => label);
			expect(new Set(labels).size).toBe(labels.length);
		},
	);
});
