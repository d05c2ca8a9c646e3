/** A change of a ticket: when it happened in ms of the service's clock, and the number of the ticket. */
export interface ChangeKey {
	readonly atMs: number;
	readonly number: number;
}

/** What was handed out: by moment the numbers of its tickets, and how often each was. */
export type Memory = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** Stands for how often a ticket was handed out that is old, so it never is. */
export const OLD = -1;

/** The longest text of a memory; n8n writes all of it to its database after each poll that found something. */
export const MAX_MEMORY_CHARS = 110_000;

/** How often a change was handed out, or undefined where it was not. */
export const timesOf = (memory: Memory, { atMs, number }: ChangeKey): number | undefined =>
	memory.get(atMs)?.get(number);

/** A memory with more changes, each of which was handed out so often. */
export function remember(
	memory: Memory,
	changes: readonly ChangeKey[],
	times: (change: ChangeKey) => number = () => 1,
): Memory {
	const all = new Map([...memory].map(([atMs, numbers]) => [atMs, new Map(numbers)] as const));
	for (const change of changes) {
		const numbers = all.get(change.atMs) ?? new Map<number, number>();
		all.set(change.atMs, numbers.set(change.number, times(change)));
	}
	return all;
}

/** Orders changes by their moments, and those of one moment by their numbers. */
export const byPosition = (a: ChangeKey, b: ChangeKey): number =>
	a.atMs - b.atMs || a.number - b.number;

/** The newest of a memory as text that is not too long, and the moment from which on it is complete. */
export function formatMemory(
	memory: Memory,
	floorMs: number,
): { readonly text: string; readonly floorMs: number } {
	const moments = [...memory].filter(([atMs]) => atMs >= floorMs).sort(([a], [b]) => a - b);
	const [first] = moments[0] ?? [0];
	const texts = moments.map(([atMs, numbers]) => momentText(atMs - first, numbers));
	let length = texts.reduce((sum, text) => sum + text.length + 1, 0);
	let dropped = 0;
	for (; length > MAX_MEMORY_CHARS; dropped++) length -= (texts[dropped]?.length ?? 0) + 1;
	const last = moments[dropped - 1]?.[0];
	return {
		text: [first.toString(36), ...texts.slice(dropped)].join(';'),
		floorMs: last === undefined ? floorMs : last + 1,
	};
}

const momentText = (ms: number, numbers: ReadonlyMap<number, number>): string => {
	const tickets = [...numbers].map(([number, times]) =>
		times === 1 ? number.toString(36) : `${number.toString(36)}.${times.toString(36)}`,
	);
	return `${ms.toString(36)}:${tickets.join(',')}`;
};

const TEXT =
	/^-?[0-9a-z]+(;[0-9a-z]+:-?[0-9a-z]+(\.-?[0-9a-z]+)?(,-?[0-9a-z]+(\.-?[0-9a-z]+)?)*)*$/;

/** Reads a memory, or undefined where the text is none. */
export function parseMemory(text: string): Memory | undefined {
	if (!TEXT.test(text)) return undefined;
	const [first = '', ...moments] = text.split(';');
	const read = (part = ''): number => parseInt(part, 36);
	return new Map(
		moments.map((moment) => {
			const [ms, tickets = ''] = moment.split(':');
			const numbers = tickets.split(',').map((ticket): [number, number] => {
				const [number, times] = ticket.split('.');
				return [read(number), times === undefined ? 1 : read(times)];
			});
			return [read(first) + read(ms), new Map(numbers)];
		}),
	);
}
