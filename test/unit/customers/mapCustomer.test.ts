import { createBatch } from '../../../src/customers/createBatch';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';
import type { Mapping } from '../../../src/customers/mapCustomer';
import { describeMappingOf, readMapped } from '../../../src/customers/mapCustomer';

const run = (more: Partial<Mapping> = {}): Mapping => ({
	customerMapping: 'autoMapInputData',
	defaultCountry: undefined,
	remainingColumns: 'ignore',
	dryRun: true,
	...more,
});

describe('the columns of a run in words', () => {
	it('are those of its own rows, though another run goes on at the same time', () => {
		const [one, other] = [run(), run()];
		readMapped({ 'Record ID': '1', 'First Name': 'Ana', 'Last Name': 'Silva', City: 'Reno' }, one);
		readMapped({ id: 3 }, other);
		readMapped({ 'Record ID': '2', Notes: 'late' }, one);
		expect(describeMappingOf(one)).toBe(
			'Mapped: Record ID to Identifier, First Name + Last Name to Name. Not used: City, Notes.',
		);
		expect(describeMappingOf(other)).toBe('Mapped: id to Identifier.');
	});

	it.each([
		['mapped by hand', { customerMapping: 'defineBelow' }],
		['sent', { dryRun: false }],
	])('are not described where they are %s', (_, more) => {
		const mapping = run(more);
		readMapped({ identifier: '1', City: 'Reno' }, mapping);
		expect(describeMappingOf(mapping)).toBeUndefined();
	});
});

it('the hint of a dry run says what the columns became, in whole sentences', async () => {
	const customer = { 'Record ID': '1', 'First Name': 'Ana', City: 'Reno' };
	const panel = { inputMode: 'fields', customerMapping: 'autoMapInputData', dryRun: true };
	const rows = [{ parameters: { ...panel, options: {}, customer } }];
	const { summary } = await runRows(createBatch, rows, fakeRuntime(inTurn(reply(200))).context());
	expect(summary).toBe(
		'Dry run: 1 customer would be sent in 1 request. Turn off Dry Run to send them. Mapped: Record ID to Identifier, First Name to Name. Not used: City.',
	);
});
