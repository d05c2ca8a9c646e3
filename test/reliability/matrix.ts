import { faults } from './faults';
import type { Host } from './host.mts';
import { startHost } from './host.mts';
import { judge } from './judge';
import type { Observed } from './observe';
import { observe } from './observe';
import type { Cell } from './rules';
import { play } from './rules';
import type { Subject } from './subjects';
import { keepRows, tableRows } from './table.mts';

/** Sandboxes of a part of the matrix; cells without a response wait in real time. */
const HOSTS = 6;

const nameOf = ({ subject, fault, at, lasting, onError, tries }: Cell): string =>
	`${subject.name} · ${fault.name} · ${at} request, ${lasting} · ${onError}, ${tries === 1 ? 'one try' : `${tries} tries`}`;

/** All cells of some subjects. */
const cellsOf = (subjects: readonly Subject[]): Cell[] =>
	subjects.flatMap((subject) =>
		faults.flatMap((fault) =>
			(['first', 'middle', 'last'] as const).flatMap((at) =>
				(['once', 'for good'] as const).flatMap((lasting) =>
					(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const).flatMap(
						(onError) =>
							([1, 3] as const).map((tries) => ({ subject, fault, at, lasting, onError, tries })),
					),
				),
			),
		),
	);

/** Works off a queue with all hosts at once. */
async function share<T>(
	items: Iterable<T>,
	hosts: readonly Host[],
	work: (item: T, host: Host) => Promise<void>,
) {
	const queue = items[Symbol.iterator]();
	await Promise.all(
		hosts.map(async (host) => {
			for (let next = queue.next(); next.done !== true; next = queue.next())
				await work(next.value, host);
		}),
	);
}

/** Runs every cell of the subjects before the tests, several at once; each test then judges one cell. */
export function runMatrix(name: string, subjects: readonly Subject[]): void {
	const cells = cellsOf(subjects);
	const requests = new Map<Subject, number>();
	const observed = new Map<Cell, Observed | Error>();

	beforeAll(async () => {
		const hosts = await Promise.all(Array.from({ length: HOSTS }, startHost));
		await share(subjects, hosts, async (subject, host) => {
			const clean = { subject, onError: 'stopWorkflow', tries: 1 } as const;
			requests.set(subject, (await observe(clean, host)).received);
		});
		await share(cells, hosts, async (cell, host) => {
			const run = observe(cell, host, { ...cell, requests: requests.get(cell.subject) ?? 0 });
			observed.set(cell, await run.catch((error: unknown) => new Error(String(error))));
		});
		await Promise.all(hosts.map(async (host) => await host.stop()));
		await keepRows(
			name,
			tableRows(observed, ({ subject }) => requests.get(subject) ?? 0),
		);
	}, 600_000);

	it.each(subjects)('$name takes at least three requests', (subject) => {
		expect(requests.get(subject)).toBeGreaterThanOrEqual(3);
	});

	it.each(cells.map((cell) => [nameOf(cell), cell] as const))('%s', (_, cell) => {
		const seen = observed.get(cell);
		if (seen === undefined || seen instanceof Error) throw seen ?? new Error('It did not run');
		expect(judge(cell, seen, play(cell, requests.get(cell.subject) ?? 0))).toEqual([]);
	});
}
