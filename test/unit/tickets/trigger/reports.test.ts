import { noteReports } from '../../../../src/tickets/trigger/reports';
import { upTo } from '../../../support/tickets';

describe('reports', () => {
	const note = (before: readonly string[], malformed: readonly object[], lostOverlap = false) => {
		const said: string[] = [];
		const after = noteReports(before, {
			context: { report: (message: string) => said.push(message) },
			column: 'updatedAt',
			settled: { lostOverlap },
			read: { malformed },
		} as never);
		return { said, after };
	};
	const LOST =
		'Too many tickets changed to cover the whole Overlap. Tickets that the service shows late can be missed. Shorten Overlap or narrow the filters.';

	it('name a row that cannot be read, once', () => {
		const row = { ticketNumber: 7, id: 'a', updatedAt: 'soon' };
		const first = note([], [row]);
		expect(first.said).toEqual([
			'Ticket 7 was skipped: the service shows "soon" in updatedAt, which is not a time, or neither its number nor its ID.',
		]);
		expect(first.after).toHaveLength(1);
		expect(first.after[0]).toHaveLength(8);
		expect(note(first.after, [row])).toEqual({ said: [], after: first.after });
		expect(note(first.after, [{ ...row, updatedAt: 'later' }]).said).toHaveLength(1);
	});

	it.each<[object, string]>([
		[{ id: 'a' }, 'Ticket "a" was skipped: the service shows nothing in updatedAt,'],
		[
			{ ticketNumber: 0, id: 'a', updatedAt: null },
			'Ticket 0 was skipped: the service shows null in updatedAt,',
		],
		[
			{ ticketNumber: '', id: 'a', updatedAt: 5 },
			'Ticket "a" was skipped: the service shows 5 in updatedAt,',
		],
		[
			{ updatedAt: 'x'.repeat(99) },
			`Ticket nothing was skipped: the service shows "${'x'.repeat(59)} in updatedAt,`,
		],
	])('say what %j shows', (row, message) => {
		expect(note([], [row]).said[0]).toContain(message);
	});

	it('are twenty at once, and forty are remembered', () => {
		const rows = (from: number) => upTo(30).map((n) => ({ id: `r${from + n}` }));
		const first = note([], rows(0));
		expect([first.said.length, first.after.length]).toEqual([20, 20]);
		const second = note(first.after, rows(100));
		const third = note(second.after, rows(200));
		expect(third.after).toHaveLength(40);
		expect(third.after.slice(0, 20)).toEqual(second.after.slice(20));
	});

	it('say that the overlap was too large, each time anew', () => {
		const first = note([], [], true);
		expect(first).toEqual({ said: [LOST], after: ['overlap'] });
		expect(note(first.after, [], true).said).toEqual([]);
		const between = note(first.after, []);
		expect(between).toEqual({ said: [], after: [] });
		expect(note(between.after, [], true).said).toEqual([LOST]);
	});
});
