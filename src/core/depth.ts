/** Whether a value is nested deeper than so many levels; JSON may be, and n8n cannot save what is. */
export function isDeeperThan(value: unknown, most: number): boolean {
	if (!isObject(value)) return false;
	if (most < 0) return true;
	for (const child of Object.values(value))
		if (isObject(child) && isDeeperThan(child, most - 1)) return true;
	return false;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
