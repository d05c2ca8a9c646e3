/** A value as text, whatever it is: an object may have no text of its own, so that String() would throw. */
export const textOf = (value: unknown): string =>
	typeof value === 'object' && value !== null ? '(an object)' : String(value);

const LONGEST = 300;

/** The beginning of a text. */
export const shorten = (text: string): string =>
	text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
