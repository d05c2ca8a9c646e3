/**
 * The bytes of a value in the format in which n8n saves executions ("flatted"): a list of all objects and of all distinct
 * texts, in which they refer to each other by their positions.
 */
export function flattedSize(root: unknown): number {
	const known = new Map<unknown, number>([[root, 0]]);
	const values: unknown[] = [root];
	const place = (value: unknown): unknown => {
		if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value;
		const position = known.get(value) ?? values.push(value) - 1;
		known.set(value, position);
		return String(position);
	};
	const lines: string[] = [];
	// The list grows while it is read.
	for (const value of values) {
		const line = Array.isArray(value)
			? value.map(place)
			: typeof value === 'object' && value !== null
				? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, place(part)]))
				: value;
		lines.push(JSON.stringify(line));
	}
	return new TextEncoder().encode(`[${lines.join(',')}]`).length;
}
