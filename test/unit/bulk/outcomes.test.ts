import { toOutcome } from '../../../src/bulk/outcomes';
import { issuesByEntry } from '../../../src/core/apiError';
import type { HttpResult, Request } from '../../../src/core/http';
import { lost, neverSent, reply } from '../../support/fakeRuntime';

const request: Request = { method: 'POST', path: '/conversations', idempotent: false };
const outcomeOf = (response: HttpResult, mayHaveArrived: boolean) =>
	toOutcome({ request, response, endedMs: 0, mayHaveArrived, attempts: 1 }, 4);

describe('the outcome of a bulk request', () => {
	it('follows from the status alone where nothing may have arrived before, and a refusal of all alike is no fault of a row', () => {
		for (let status = 200; status < 600; status++) {
			const ofAll = status < 400 || [401, 402, 403, 404, 407, 429].includes(status);
			const mayBeDone = [303, 408].includes(status) || status >= 500;
			const expected = mayBeDone ? 'unknown' : ofAll ? 'notSent' : 'rejected';
			const { outcome } = outcomeOf(reply(status), false);
			expect([status, outcome]).toEqual([status, status < 300 ? 'accepted' : expected]);
		}
	});

	it('is never rejected after a sending that may have arrived, but for a documented verdict on the content', () => {
		const documented = { code: 'BAD_REQUEST', message: 'no', issues: [] };
		for (let status = 300; status < 600; status++) {
			const expected = status === 400 || status === 422 ? 'rejected' : 'unknown';
			expect([status, outcomeOf(reply(status, documented), true).outcome]).toEqual([
				status,
				expected,
			]);
			expect(outcomeOf(reply(status), true).outcome).toBe('unknown');
		}
	});

	it.each([
		['serviceFailed', neverSent()],
		['canceled', neverSent('CANCELED')],
		['accessDenied', neverSent('ACCESS_DENIED')],
		['unknown', lost()],
	])('is not sent only where it is certain, with the code %s', (code, response) => {
		const outcome = code === 'unknown' ? 'unknown' : 'notSent';
		expect(outcomeOf(response, false)).toMatchObject({ outcome, code });
		expect(outcomeOf(response, true)).toMatchObject({ outcome: 'unknown', code: 'unknown' });
	});

	it('tells an empty reply from a broken one', () => {
		expect(outcomeOf(reply(200, ' \n'), false)).toMatchObject({ outcome: 'accepted' });
		expect(outcomeOf(reply(200, 'null'), false)).toMatchObject({
			outcome: 'accepted',
			reply: null,
		});
		expect(outcomeOf(reply(200, '{'), false)).toMatchObject({ outcome: 'unknown', request: 4 });
	});
});

describe('issues of a rejection', () => {
	const byRow = (paths: readonly unknown[], count = 20) => {
		const issues = paths.map((path) => ({ path }));
		const error = { kind: 'api', call: '', status: 400, message: '', issues } as const;
		const named = issuesByEntry(error, count);
		return [...named].map(([row, some]) => [
			row,
			some.map((issue) => Reflect.get(issue as object, 'path')),
		]);
	};

	it('are of the values that their paths name', () => {
		const paths = [['customers', 3, 'email'], 'customers.3.name', 'customers.5'];
		expect(byRow(paths)).toEqual([
			[3, [['customers', 3, 'email'], 'customers.3.name']],
			[5, ['customers.5']],
		]);
	});

	it.each<unknown>([
		'email',
		'a.b.3.email',
		'customers.3x',
		'customers.1234567890.a',
		'customers.20.email',
		'',
		['customers'],
		[3],
		[],
		5,
		null,
		undefined,
	])('of %j are of none', (path) => {
		expect(byRow([path])).toEqual([]);
	});
});
