import type { Failure } from './failures';

/** A value, or the failure. Failures are values, so no catch can lose them. */
export type Result<T, E = Failure> =
	{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: E };

/** Wraps a value. */
export const ok = <T>(value: T) => ({ ok: true, value }) as const;

/** Wraps the reason why there is no value. */
export const fail = <E>(failure: E) => ({ ok: false, failure }) as const;

/** Runs a call that may throw. The message of a thrown error becomes the failure. */
export async function catchFailure<T>(call: () => Promise<T>): Promise<Result<T, string>> {
	try {
		return ok(await call());
	} catch (error) {
		return fail(error instanceof Error ? error.message : String(error));
	}
}
