import { priorities, sources } from './columns.mts';
import { credentials } from './credentials.mts';
import { pick, randomBelow, randomUuid, seededRandom } from './random.mts';
import type { Random } from './random.mts';
import type { Ticket } from './ticket.mts';
import { descriptions, subjects, topics } from './ticketTexts.mts';

const day = 86_400_000;
const poolRandom = seededRandom(20_240_601);

function pool(size: number): string[] {
	return Array.from({ length: size }, () => randomUuid(poolRandom));
}

/** The workspace's invented statuses: new, open, waiting, on hold, resolved, closed. */
const statusIds = pool(6);

const ticketTypeIds = pool(5);
const userIds = pool(40);
const teamIds = pool(8);
const agentIds = pool(6);
const flowIds = pool(10);

/** What a seeding run is about. */
export interface SeedPlan {
	count: number;
	/** The number of the first ticket. */
	firstNumber: number;
	/** Ms since the epoch; tickets are created in the 120 days before. */
	now: number;
	random: Random;
}

function maybe<T>(random: Random, chance: number, make: () => T): T | null {
	return random() < chance ? make() : null;
}

function title(random: Random): string {
	const topic = pick(random, topics);
	return `${pick(random, subjects)} ${topic}`.trim();
}

/** Invents one ticket, created at `createdAt` (ms) and last changed before `now` (ms). */
export function inventTicket(
	random: Random,
	ticketNumber: number,
	{ createdAt, now }: { createdAt: number; now: number },
): Ticket {
	const age = Math.max(0, now - createdAt);
	const later = () => new Date(createdAt + Math.floor(random() * age)).toISOString();
	const id = () => randomUuid(random);
	const user = () => pick(random, userIds);
	const team = () => pick(random, teamIds);
	const status = randomBelow(random, statusIds.length);
	const created = new Date(createdAt).toISOString();
	return {
		workspaceId: credentials.workspaceId,
		ticketNumber,
		ticketTypeId: pick(random, ticketTypeIds),
		title: title(random),
		description: maybe(random, 0.9, () => pick(random, descriptions)),
		summary: maybe(random, 0.6, () => pick(random, descriptions).slice(0, 40)),
		source: pick(random, sources),
		statusId: statusIds[status] ?? '',
		priority: pick(random, priorities),
		customerId: maybe(random, 0.85, id),
		createdByUserId: maybe(random, 0.5, user),
		assigneeUserId: maybe(random, 0.7, user),
		assignedTeamId: maybe(random, 0.8, team),
		ownerUserId: maybe(random, 0.4, user),
		ownerTeamId: maybe(random, 0.4, team),
		conversationId: maybe(random, 0.6, id),
		parentTicketId: maybe(random, 0.05, id),
		mergedIntoTicketId: maybe(random, 0.03, id),
		splitFromTicketId: maybe(random, 0.02, id),
		flowId: maybe(random, 0.3, () => pick(random, flowIds)),
		agentId: maybe(random, 0.5, () => pick(random, agentIds)),
		firstResponseAt: maybe(random, 0.75, later),
		resolvedAt: status >= 4 ? later() : null,
		closedAt: status === 5 ? later() : null,
		snoozedUntil: maybe(random, 0.08, () =>
			new Date(now + Math.floor(random() * 7 * day)).toISOString(),
		),
		lastCustomerActivityAt: maybe(random, 0.8, later),
		lastAgentActivityAt: maybe(random, 0.7, later),
		isShared: random() < 0.25,
		id: id(),
		createdAt: created,
		updatedAt: random() < 0.2 ? created : later(),
	};
}

/** Invents `count` tickets, oldest first with a little disorder, spread over the past 120 days. */
export function* inventTickets({ count, firstNumber, now, random }: SeedPlan): Generator<Ticket> {
	const spread = 120 * day;
	for (let index = 0; index < count; index += 1) {
		const position = (index + random() * 3) / (count + 3);
		const createdAt = Math.floor(now - spread + position * spread);
		yield inventTicket(random, firstNumber + index, { createdAt, now });
	}
}
