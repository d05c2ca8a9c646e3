import {
	columnNames,
	columns,
	listColumns,
	priorities,
	sources,
	ticketNumberRange,
} from '../../../src/tickets/columns';
import type { Kind } from '../../../src/tickets/columns';
import type { Operator } from '../../../src/tickets/operators';
import { operatorLabel, operators, operatorsByKind } from '../../../src/tickets/operators';
import {
	interfaceColumns,
	interfaceNotNull,
	interfaceNullable,
	interfaceOperators,
	interfaceSources,
} from '../../support/interfaceTable';

const nullable = (value: boolean) =>
	columnNames.filter((name) => 'nullable' in columns[name] && columns[name].nullable === value);

const kinds = Object.keys(operatorsByKind) as Kind[];

describe('the ticket columns', () => {
	it('are those of the interface', () => {
		expect([...columnNames].sort()).toEqual([...interfaceColumns].sort());
	});

	it('say null where the interface does, and nothing where it is silent', () => {
		expect(nullable(true).sort()).toEqual([...interfaceNullable].sort());
		expect(nullable(false).sort()).toEqual([...interfaceNotNull].sort());
	});

	it('stand in the order of their labels, each of its own', () => {
		const labels = columnNames.map((name) => columns[name].label);
		expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b, 'en')));
		expect(new Set(labels).size).toBe(interfaceColumns.length);
	});

	it('are of the kinds that the interface tells apart', () => {
		expect(listColumns('source')).toEqual(['source']);
		expect(listColumns('priority')).toEqual(['priority']);
		expect(listColumns('text').sort()).toEqual(['description', 'summary', 'title']);
		expect(listColumns('identifier').sort()).toEqual(
			[...interfaceColumns].filter((name) => /Id$|^id$/.test(name)).sort(),
		);
	});

	it('have the values and bounds of the interface', () => {
		expect(Object.keys(sources).sort()).toEqual([...interfaceSources].sort());
		expect(Object.keys(priorities).sort()).toEqual(['high', 'low', 'medium', 'urgent']);
		expect(ticketNumberRange).toEqual({ min: -2147483648, max: 2147483647 });
	});
});

describe('the operators', () => {
	it.each(columnNames)('of %s are those of the interface', (name) => {
		expect([...operatorsByKind[columns[name].kind]].sort()).toEqual(
			[...(interfaceOperators.get(name) ?? [])].sort(),
		);
	});

	it('take what the interface says', () => {
		const taking = (operand: string) =>
			(Object.keys(operators) as Operator[]).filter((name) => operators[name].operand === operand);
		expect(taking('one')).toEqual(['eq', 'gt', 'gte', 'lt', 'lte']);
		expect(taking('oneOrMany')).toEqual(['ne']);
		expect(taking('many')).toEqual(['in', 'notIn']);
		expect(taking('flag')).toEqual(['isEmpty', 'isNotEmpty', 'isNotNull', 'isNull']);
		expect(taking('pattern')).toEqual(['iLike', 'like', 'notILike', 'notLike']);
		expect(taking('text')).toEqual(['isBetween']);
		expect(taking('number')).toEqual(['isRelativeToToday']);
	});

	it.each(kinds)('have labels of their own on columns of %s', (kind) => {
		const labels = operatorsByKind[kind].map((name) => operatorLabel(name, kind));
		expect(new Set(labels).size).toBe(labels.length);
	});
});
