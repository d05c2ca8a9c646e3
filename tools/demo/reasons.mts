/** What is wrong with a row, without the row number and without the value, so equal reasons can be counted. */
export function reasonsOf(error: string): string[] {
	const text = error.replace(/^Row \d+: /, '');
	return text.split(/[;.] (?=')/).map((problem) => {
		const parts = /^'([^']+)' (?:'.*' |"[^"]*" )?(.+)$/s.exec(problem);
		const [, field = '', what = ''] = parts ?? [];
		const said = parts ? `${field.split(' > ').at(-1)} ${what}` : problem;
		return said.replace(/(\. |: |, (which|e\.g\.)).*$/s, '').replace(/\.$/, '');
	});
}

/** How often each reason is given, the most frequent first. */
export function countReasons(errors: readonly string[]): Array<[reason: string, count: number]> {
	const counts = new Map<string, number>();
	for (const reason of errors.flatMap(reasonsOf)) {
		counts.set(reason, (counts.get(reason) ?? 0) + 1);
	}
	return [...counts].sort(([, a], [, b]) => b - a);
}
