import { priorities, sources } from './columns.mts';
import { credentials } from './credentials.mts';
import { pick, randomBelow, randomUuid, seededRandom } from './random.mts';
import type { Random } from './random.mts';
import { DAY_MS } from './ticket.mts';
import type { Ticket } from './ticket.mts';

/** The beginnings of invented titles. */
const subjects = [
	'Cannot open',
	'Question about',
	'Refund for',
	'Zugriff auf',
	'¿Dónde está',
	'お問い合わせ:',
	'Вопрос:',
	'URGENT!',
];

/** The ends of invented titles, some with characters that mean something in a pattern. */
const topics = [
	'the invoice',
	'discount 50% off',
	'file_name_final.pdf',
	'path C:\\temp\\export',
	'the "premium" plan',
	"O'Brien's account",
	'Größe und Farbe',
	'電話番号の変更',
	'<b>bold</b> & more',
	'appointment 🎉',
	'',
];

/** Invented descriptions, one of them empty. */
const descriptions = [
	'The customer called twice and asked to be called back in the afternoon.',
	'Parcel arrived damaged.\nPhotos are attached.',
	'Customer says: "It worked yesterday".',
	'Le client souhaite annuler sa réservation et être remboursé à 100 %.',
	'お客様は請求書の再発行を希望しています。',
	'The export stops at row 10_000 with an error.',
	'',
];

const poolRandom = seededRandom(20_240_601);

function createPool(size: number): string[] {
	return Array.from({ length: size }, () => randomUuid(poolRandom));
}

/** The invented statuses: new, open, waiting, on hold, resolved, closed. */
const statusIds = createPool(6);
const ticketTypeIds = createPool(5);
const userIds = createPool(40);
const teamIds = createPool(8);
const agentIds = createPool(6);
const flowIds = createPool(10);

function drawMaybe<T>(random: Random, chance: number, make: () => T): T | null {
	return random() < chance ? make() : null;
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
		title: `${pick(random, subjects)} ${pick(random, topics)}`.trim(),
		description: drawMaybe(random, 0.9, () => pick(random, descriptions)),
		summary: drawMaybe(random, 0.6, () => pick(random, descriptions).slice(0, 40)),
		source: pick(random, sources),
		statusId: statusIds[status] ?? '',
		priority: pick(random, priorities),
		customerId: drawMaybe(random, 0.85, id),
		createdByUserId: drawMaybe(random, 0.5, user),
		assigneeUserId: drawMaybe(random, 0.7, user),
		assignedTeamId: drawMaybe(random, 0.8, team),
		ownerUserId: drawMaybe(random, 0.4, user),
		ownerTeamId: drawMaybe(random, 0.4, team),
		conversationId: drawMaybe(random, 0.6, id),
		parentTicketId: drawMaybe(random, 0.05, id),
		mergedIntoTicketId: drawMaybe(random, 0.03, id),
		splitFromTicketId: drawMaybe(random, 0.02, id),
		flowId: drawMaybe(random, 0.3, () => pick(random, flowIds)),
		agentId: drawMaybe(random, 0.5, () => pick(random, agentIds)),
		firstResponseAt: drawMaybe(random, 0.75, later),
		resolvedAt: status >= 4 ? later() : null,
		closedAt: status === 5 ? later() : null,
		snoozedUntil: drawMaybe(random, 0.08, () =>
			new Date(now + Math.floor(random() * 7 * DAY_MS)).toISOString(),
		),
		lastCustomerActivityAt: drawMaybe(random, 0.8, later),
		lastAgentActivityAt: drawMaybe(random, 0.7, later),
		isShared: random() < 0.25,
		id: id(),
		createdAt: created,
		updatedAt: random() < 0.2 ? created : later(),
	};
}

/** Invents tickets of the 120 days before `now` (ms), oldest first with a little disorder. */
export function* inventTickets({
	count,
	firstNumber,
	now,
	random,
}: {
	count: number;
	firstNumber: number;
	now: number;
	random: Random;
}): Generator<Ticket> {
	const spread = 120 * DAY_MS;
	for (let index = 0; index < count; index += 1) {
		const position = (index + random() * 3) / (count + 3);
		const createdAt = Math.floor(now - spread + position * spread);
		yield inventTicket(random, firstNumber + index, { createdAt, now });
	}
}
