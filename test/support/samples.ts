/** UUIDs for tests; the n-th is always the same. */
export const uuidOf = (n: number): string =>
	`00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

export const AGENT = uuidOf(0xa);
export const PHONE = '+14155550178';

/** The n-th phone number of a range that no one has. */
export const phoneOf = (n: number): string => `+1415555${String(n).padStart(4, '0')}`;

/** The members of a body that was sent. */
export const members = (body: unknown): Readonly<Record<string, unknown>> =>
	typeof body === 'object' && body !== null ? { ...body } : {};

/** A list in a body that was sent. */
export function listOf(body: unknown, name: string): readonly unknown[] {
	const list = members(body)[name];
	return Array.isArray(list) ? list : [];
}
