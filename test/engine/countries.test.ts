import { countries } from '../../nodes/ConversationDesk/descriptions/countries';
import { prefixOf } from '../../src/core/libphonenumber';
import { callingCodeOf, countries as known } from '../support/phoneNumbers';

describe('the countries of the panel', () => {
	it('are those of the library, each with its calling code', () => {
		const codes = countries.map(({ value }) => String(value));
		expect(codes.toSorted()).toEqual(known.toSorted());
		const named = countries.map(({ name }) => /\(\+(\d+)\)$/.exec(name)?.[1]);
		const names = new Map(codes.map((code, i) => [code, named[i]]));
		for (const country of known) expect(names.get(country)).toBe(callingCodeOf(country));
	});
});

describe('the library for phone numbers', () => {
	it('is not loaded when n8n starts and reads the descriptions', () => {
		jest.isolateModules(() => {
			let loads = 0;
			jest.doMock('../../src/core/libphonenumber', () => {
				loads++;
				return { prefixOf };
			});
			const load = (path: string): unknown => jest.requireActual(path);
			load('../../nodes/ConversationDesk/ConversationDesk.node');
			load('../../nodes/ConversationDesk/ConversationDeskTrigger.node');
			load('../../credentials/ConversationDeskApi.credentials');
			expect(loads).toBe(0);
			load('../../src/core/phoneNumber');
			expect(loads).toBe(1);
		});
	});
});
