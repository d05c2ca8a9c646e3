import { createCircuitBreaker } from '../../../src/bulk/circuitBreaker';
import type { SentOutcome } from '../../../src/bulk/outcomes';
import type { ApiError } from '../../../src/core/failures';

const accepted: SentOutcome = { outcome: 'accepted', batch: 1, reply: {}, paired: false };
const held = { kind: 'held', message: 'no' } as const;
const unknown: SentOutcome = { outcome: 'unknown', failure: held };
const said = (status: number): ApiError => ({
	kind: 'api',
	call: 'POST /conversations',
	status,
	message: 'no',
	issues: [],
});
const rejected = (status: number): SentOutcome => ({ outcome: 'rejected', failure: said(status) });
const after = (...outcomes: readonly SentOutcome[]) => {
	const breaker = createCircuitBreaker();
	for (const outcome of outcomes) breaker.note(outcome);
	return breaker.reason();
};

const FAILED =
	'Not sent, because three requests in a row failed. Run the node again when the service works';
const REFUSED =
	'Not sent, because the service did not accept the credential. Correct it, then run the node again';

it('stops after three failures in a row', () => {
	expect(after(unknown, unknown)).toBeUndefined();
	expect(after(unknown, unknown, unknown)).toBe(FAILED);
	expect(after(rejected(500), unknown, rejected(503))).toBe(FAILED);
	expect(after(unknown, unknown, accepted, unknown, unknown)).toBeUndefined();
	expect(after(unknown, unknown, rejected(400), unknown)).toBeUndefined();
	expect(after(rejected(499), rejected(499), rejected(499))).toBeUndefined();
	const notSent: SentOutcome = { outcome: 'notSent', failure: held };
	expect(after(notSent, notSent, notSent)).toBeUndefined();
});

it('stops at once where the credential is not accepted, and keeps to the first reason', () => {
	expect(after(rejected(401))).toBe(REFUSED);
	expect(after(rejected(403))).toBe(REFUSED);
	expect(after(rejected(402))).toBeUndefined();
	expect(after(rejected(404))).toBeUndefined();
	expect(after(rejected(401), unknown, unknown, unknown)).toBe(REFUSED);
	expect(after(unknown, unknown, unknown, rejected(401))).toBe(FAILED);
	expect(after(rejected(401), accepted)).toBe(REFUSED);
	expect(after({ outcome: 'rejected', failure: held })).toBeUndefined();
});
