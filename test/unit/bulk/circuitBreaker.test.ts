import { circuitBreaker } from '../../../src/bulk/circuitBreaker';
import type { NotAccepted, Outcome } from '../../../src/bulk/outcomes';
import type { ApiError } from '../../../src/core/failures';
import { planOf, planOfValues } from '../../support/plan';

const accepted: Outcome = { outcome: 'accepted', batch: 1, reply: {}, paired: false };
const failure = { kind: 'held', message: 'no' } as const;
const unknown: NotAccepted = { outcome: 'unknown', failure };
const said = (status: number): ApiError => ({
	kind: 'api',
	call: 'POST /conversations',
	status,
	message: 'no',
	issues: [],
});
const rejected = (status: number): NotAccepted => ({ outcome: 'rejected', failure: said(status) });

/** What becomes of a request after others that ended so, each with the outcomes of its values. */
async function after(...requests: ReadonlyArray<Outcome | readonly Outcome[]>) {
	const breaker = circuitBreaker<number>();
	for (const outcomes of requests.map((one) => [one].flat()))
		await breaker.after?.(planOf([{ values: [...outcomes.keys()], outcomes }]).values);
	const { values } = planOfValues([1, 2]);
	await breaker.before?.(values);
	const reasons = values.map(({ outcome }) =>
		outcome?.outcome === 'notSent' && 'message' in outcome.failure
			? outcome.failure.message
			: outcome,
	);
	expect(reasons[1]).toBe(reasons[0]);
	return reasons[0];
}

const FAILED =
	'Not sent, because three requests in a row failed. Run the node again when the service works';
const REFUSED =
	'Not sent, because the service did not accept the credential. Correct it, then run the node again';

it('stops after three failures in a row', async () => {
	expect(await after(unknown, unknown)).toBeUndefined();
	expect(await after(unknown, unknown, unknown)).toBe(FAILED);
	expect(await after(rejected(500), unknown, rejected(503))).toBe(FAILED);
	expect(await after(rejected(429), rejected(429), rejected(429))).toBe(FAILED);
	expect(await after(unknown, unknown, accepted, unknown, unknown)).toBeUndefined();
	expect(await after(unknown, unknown, rejected(400), unknown)).toBeUndefined();
	expect(await after(rejected(499), rejected(499), rejected(499))).toBeUndefined();
	const notSent: NotAccepted = { outcome: 'notSent', failure };
	expect(await after(notSent, notSent, notSent)).toBeUndefined();
});

it('counts a request as failed only where all of it did', async () => {
	expect(await after([unknown, unknown], unknown, [unknown, unknown])).toBe(FAILED);
	expect(await after(unknown, [unknown, accepted], unknown, unknown)).toBeUndefined();
});

it('stops at once where the credential is not accepted, and keeps to the first reason', async () => {
	expect(await after(rejected(401))).toBe(REFUSED);
	expect(await after(rejected(403))).toBe(REFUSED);
	expect(await after([rejected(400), rejected(403)])).toBe(REFUSED);
	expect(await after(rejected(402))).toBeUndefined();
	expect(await after(rejected(404))).toBeUndefined();
	expect(await after(rejected(401), unknown, unknown, unknown)).toBe(REFUSED);
	expect(await after(unknown, unknown, unknown, rejected(401))).toBe(FAILED);
	expect(await after(rejected(401), accepted)).toBe(REFUSED);
	expect(await after({ outcome: 'rejected', failure })).toBeUndefined();
});
