import { stringify } from 'flatted';

/** The bytes of a value in the format in which n8n saves executions ("flatted"). */
export const flattedSize = (value: unknown): number =>
	new TextEncoder().encode(stringify(value)).length;
