/** Reads the "flatted" JSON in which n8n keeps run data: a list of values where every string inside an object or array is the position of another value. */
export function parseFlatted(text: string): unknown {
	const values = JSON.parse(text) as unknown[];
	for (const value of values) {
		if (typeof value === 'object' && value !== null)
			connect(value as Record<string, unknown>, values);
	}
	return values[0];
}

function connect(target: Record<string, unknown>, values: readonly unknown[]) {
	for (const [key, child] of Object.entries(target)) {
		if (typeof child === 'string') target[key] = values[Number(child)];
	}
}
