const compiled = new Map<string, RegExp>();

function compile(pattern: string, flags: string): RegExp {
	const source = pattern.replace(
		/\\([^])|[%_]|[\\^$.*+?()[\]{}|/-]/gu,
		(part, escaped?: string) => {
			if (escaped !== undefined) return literal(escaped);
			if (part === '%') return '[^]*';
			return part === '_' ? '[^]' : literal(part);
		},
	);
	return new RegExp(`^${source}$`, flags);
}

function literal(character: string): string {
	return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** Tells whether a text matches an SQL pattern: `%` any text, `_` one character, `\` escapes. */
export function matchesLike(value: string, pattern: string, ignoreCase: boolean): boolean {
	const flags = ignoreCase ? 'iu' : 'u';
	const key = flags + pattern;
	let expression = compiled.get(key);
	if (!expression) {
		if (compiled.size > 1_000) compiled.clear();
		expression = compile(pattern, flags);
		compiled.set(key, expression);
	}
	return expression.test(value);
}
