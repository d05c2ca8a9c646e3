/** Whether a value is nested deeper than so many levels; JSON may be, and n8n cannot save what is. */
export function isDeeperThan(value: unknown, most: number): boolean {
	let level: unknown[] = [value];
	for (let depth = 0; depth <= most; depth++) {
		const next: unknown[] = [];
		for (const part of level) {
			if (typeof part !== 'object' || part === null) continue;
			for (const child of Object.values(part)) {
				if (typeof child === 'object' && child !== null) next.push(child);
			}
		}
		if (next.length === 0) return false;
		level = next;
	}
	return true;
}
