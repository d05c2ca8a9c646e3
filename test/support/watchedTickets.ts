import type { Script } from './fakeRuntime';
import { reply } from './fakeRuntime';
import { listOf, members } from './samples';

/** A ticket as it stands from one moment on, seen from outside. */
export interface Version {
	readonly id: string;
	readonly ticketNumber: number;
	/** When it happened, in ms of the service's clock. */
	readonly at: number;
	/** From when on it can be read. */
	readonly visibleAt: number;
	readonly matches: boolean;
}

/** How a service behaves that is watched. */
export interface Manners {
	/** Ms by which the clock of the service is ahead of ours. */
	readonly skew: number;
	/** Ms to which it rounds times down, so many are the same. */
	readonly grain: number;
	/** The most rows of one page. */
	readonly page: number;
}

/** Tickets that come and change behind the wire; the urgent ones match. */
export class WatchedTickets {
	readonly versions: Version[] = [];

	private readonly manners: Manners;

	private readonly clock: () => number;

	constructor(manners: Manners, clock: () => number) {
		this.manners = manners;
		this.clock = clock;
	}

	/** The time of the service. */
	now(): number {
		return this.clock() + this.manners.skew;
	}

	create(
		matches: boolean,
		{ late = 0, prefetch = 0 }: { late?: number; prefetch?: number } = {},
	): void {
		const ticketNumber = this.numbers().length + 1;
		this.add({ ticketNumber, id: `t${String(7_919 * ticketNumber)}`, matches }, { late, prefetch });
	}

	update(index: number, matches: boolean, late = 0): void {
		const numbers = this.numbers();
		const ticketNumber = numbers[index % Math.max(1, numbers.length)];
		const last = this.versions.findLast((version) => version.ticketNumber === ticketNumber);
		if (last) this.add({ ...last, matches }, { late, prefetch: 0 });
	}

	/** What can be read at a moment: the newest visible version of each ticket. */
	shown(moment = this.now()): Version[] {
		const visible = this.versions.filter(({ visibleAt }) => visibleAt <= moment);
		return [...new Map(visible.map((version) => [version.id, version])).values()];
	}

	/** Answers a search as the service would. */
	readonly response: Script = ({ body }) => {
		const filters = members(members(body)['filters']);
		const sort = listOf(body, 'sort').map(
			(rule) => [String(members(rule)['field']), members(rule)['direction'] === 'desc'] as const,
		);
		const found = this.shown()
			.map((version) => ({ ...version, updatedAt: new Date(version.at).toISOString() }))
			.filter((row) => 'priority' in filters === false || row.matches)
			.filter((row) => within(row.updatedAt, filters['updatedAt']))
			.filter((row) => within(row.ticketNumber, filters['ticketNumber']))
			.filter(({ id }) => !listOf(filters['id'], 'notIn').includes(id));
		found.sort((a, b) => {
			for (const [name, descending] of sort) {
				const [left, right] = [members(a)[name] as string, members(b)[name] as string];
				if (left !== right) return (left < right ? -1 : 1) * (descending ? -1 : 1);
			}
			return 0;
		});
		const { limit, offset } = members(members(body)['pagination']);
		const end = Number(offset) + Math.min(Number(limit), this.manners.page);
		const data = found
			.slice(Number(offset), end)
			.map(({ id, ticketNumber, updatedAt }) => ({ id, ticketNumber, updatedAt }));
		return reply(200, { data, metadata: { hasNextPage: end < found.length } });
	};

	private numbers(): number[] {
		return [...new Set(this.versions.map(({ ticketNumber }) => ticketNumber))];
	}

	private add(
		ticket: Pick<Version, 'id' | 'ticketNumber' | 'matches'>,
		{ late, prefetch }: { late: number; prefetch: number },
	): void {
		const { grain } = this.manners;
		const at = Math.floor((this.now() + prefetch) / grain) * grain;
		this.versions.push({ ...ticket, at, visibleAt: this.now() + late });
	}
}

function within<T extends string | number>(value: T, operands: unknown): boolean {
	const { gte, gt, lt, lte } = members(operands) as Partial<Record<string, T>>;
	return (
		(gte === undefined || value >= gte) &&
		(gt === undefined || value > gt) &&
		(lt === undefined || value < lt) &&
		(lte === undefined || value <= lte)
	);
}
