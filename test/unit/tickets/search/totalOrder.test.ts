import type { SortRule } from '../../../../src/tickets/search/query';
import {
	isRejection,
	readInTotalOrder,
	totalRules,
} from '../../../../src/tickets/search/totalOrder';
import type { CallError } from '../../../../src/core/client';
import { listOf } from '../../../support/samples';
import type { Scripted } from '../../../support/pageReader';
import { scriptedReader } from '../../../support/pageReader';
import { by, ticket } from '../../../support/tickets';

describe('queries', () => {
	it('get an order in which no two tickets tie, of no more rules than a service takes', () => {
		const columns = (sort: SortRule[], max?: number) =>
			totalRules(sort, max).map(({ column }) => column);
		expect(columns([])).toEqual(['ticketNumber', 'id']);
		expect(columns(by('title'))).toEqual(['title', 'ticketNumber', 'id']);
		expect(columns(by('id', 'desc'))).toEqual(['id', 'ticketNumber']);
		expect(columns(by('title'), 2)).toEqual(['title', 'ticketNumber']);
		expect(columns([...by('title'), ...by('source')], 1)).toEqual(['title', 'source']);
	});

	it('are rejected for their filters, or for something else', () => {
		const rejected = (message: string, issues: readonly unknown[] = [], status = 400) =>
			isRejection({ kind: 'api', call: '', status, message, issues });
		expect(rejected('Too many sort rules')).toBe(true);
		expect(rejected('Unknown filter')).toBe(false);
		expect(rejected('Bad FILTERS')).toBe(false);
		expect(rejected('unfiltered')).toBe(true);
		expect(rejected('no', [{ path: ['filters', 'a'], message: 'x' }])).toBe(false);
		expect(rejected('no', [{ path: ['sort', 1], message: 'x' }])).toBe(true);
		expect(rejected('no', [], 500)).toBe(false);
		expect(isRejection(undefined)).toBe(false);
	});
});

describe('reading in a total order', () => {
	const refused = (status: number, message = '') => ({
		failure: { kind: 'api', call: '', status, message, issues: [] } as unknown as CallError,
	});
	const read = async (answers: readonly Scripted[], sort: readonly SortRule[] = []) => {
		const { reader, asked } = scriptedReader(answers);
		const query = { filters: {}, sort, select: [] };
		const { rows, failure } = await readInTotalOrder(query, { offset: 0 }, reader);
		const rules = asked.map((body) => listOf(body, 'sort').length);
		return { rows, failure, rules, maxRules: reader.known?.maxRules };
	};

	it('takes fewer rules where the service does, and remembers how many', async () => {
		const one: Scripted = [[ticket(1)]];
		expect(await read([one])).toMatchObject({ rules: [2], maxRules: undefined });
		expect(await read([refused(400), one])).toMatchObject({ rules: [2, 1], maxRules: 1 });
		expect(await read([refused(422), one], by('title'))).toMatchObject({
			rules: [3, 2],
			maxRules: 2,
		});
	});

	it('ends with an error that fewer rules do not help, and remembers nothing', async () => {
		const failed = await read([refused(400), refused(500)]);
		expect(failed).toMatchObject({ rules: [2, 1], failure: { status: 500 } });
		expect(failed.maxRules).toBeUndefined();
		expect(await read([refused(400, 'filters: no')])).toMatchObject({ rules: [2] });
		const own = await read([refused(400), refused(400), refused(400)], by('title'));
		expect(own).toMatchObject({ rules: [3, 2, 1], failure: { status: 400 } });
		// What came before says that the service takes the rules.
		const later = await read([[[ticket(1), ticket(2), ticket(3)], true], refused(400)]);
		expect(later).toMatchObject({ rules: [2, 2], failure: { status: 400 } });
		expect(later.rows).toHaveLength(3);
	});
});
