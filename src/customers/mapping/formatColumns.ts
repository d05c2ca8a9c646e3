import type { Path } from './columns';

const MAX_COLUMNS = 12;
const MAX_NAME = 40;

/** A column as people name it: "properties.email". */
export function nameOf(path: Path): string {
	const name = path.join('.');
	return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/** The names of columns, the first of them where there are many. */
export function formatColumns(paths: readonly Path[]): string {
	const names = paths.slice(0, MAX_COLUMNS).map(nameOf);
	const more = paths.length - names.length;
	return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
