const compiled = new Map<string, RegExp>();

function compile(pattern: string, flags: string, escapes: boolean): RegExp {
	const special = /[%_]|[\\^$.*+?()[\]{}|/-]/;
	const source = pattern.replace(
		new RegExp(escapes ? `\\\\([^])|${special.source}` : `()${special.source}`, 'gu'),
		(part, escaped?: string) => {
			if (escaped) return literal(escaped);
			if (part === '%') return '[^]*';
			return part === '_' ? '[^]' : literal(part);
		},
	);
	return new RegExp(`^${source}$`, flags);
}

function literal(character: string): string {
	return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** Tells whether a text matches an SQL pattern: `%` any text, `_` one character, `\` escapes or stands for itself. */
export function matchesLike(
	value: string,
	pattern: string,
	{ ignoresCase, escapes }: { ignoresCase: boolean; escapes: boolean },
): boolean {
	const flags = ignoresCase ? 'iu' : 'u';
	const key = `${flags} ${escapes} ${pattern}`;
	let expression = compiled.get(key);
	if (!expression) {
		if (compiled.size > 1_000) compiled.clear();
		expression = compile(pattern, flags, escapes);
		compiled.set(key, expression);
	}
	return expression.test(value);
}
