import {
	columnNames,
	columns,
	listColumns,
	priorities,
	sources,
	ticketNumberRange,
} from '../../../src/tickets/columns';
import {
	interfaceColumns,
	interfaceNotNull,
	interfaceNullable,
	interfaceSources,
} from '../../support/interfaceTable';

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

	it('stand in the order of their labels, each of its own', () => {
		const labels = columnNames.map((name) => columns[name].label);
		expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b, 'en')));
		expect(new Set(labels).size).toBe(interfaceColumns.length);
	});

	it('are of the kinds that the interface tells apart', () => {
		expect(listColumns('number')).toEqual(['ticketNumber']);
		expect(listColumns('source')).toEqual(['source']);
		expect(listColumns('priority')).toEqual(['priority']);
		expect(listColumns('boolean')).toEqual(['isShared']);
		expect(listColumns('text').sort()).toEqual(['description', 'summary', 'title']);
		expect(listColumns('timestamp').sort()).toEqual(
			[...interfaceColumns].filter((name) => /At$|Until$/.test(name)).sort(),
		);
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
