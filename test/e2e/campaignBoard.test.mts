import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Control } from '../../sandbox/control.mts';
import type { Desk } from '../../tools/demo/desk.mts';
import { readExample, readShipped, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { watchMemory } from '../../tools/host/groupMemory.mts';
import type { GroupMemory } from '../../tools/host/groupMemory.mts';
import type { N8n } from '../../tools/host/n8n.mts';
import { n8nNode, workflowOf } from '../support/workflowNodes.mts';
import { ownDesk } from './ownDesk.mts';
import type { OwnDesk } from './ownDesk.mts';

/** BOARD_PEOPLE=10000 makes it a large campaign with many kills, whose figures stand in docs/internals/reliability.md. */
const PEOPLE = Number(process.env['BOARD_PEOPLE'] ?? 240);
const IS_LARGE = PEOPLE > 1_000;
const ATTEMPTS = 2;
const AT_ONCE = IS_LARGE ? PEOPLE / 20 : 120;
/** In a large campaign every so many rounds a run and a collection are killed as well. */
const ROUNDS_BETWEEN_KILLS = 8;
/** Conversations in one request, of which a kill can make the outcomes unknown. */
const BATCH = 10;

const BOARD = { __rl: true, mode: 'name', value: 'Campaign Board' };
const readBoard = workflowOf('Read the board', [
	n8nNode('dataTable', 1.1, {
		resource: 'row',
		operation: 'get',
		dataTableId: BOARD,
		returnAll: true,
	}),
]);

const pause = async (ms: number) => void (await once(AbortSignal.timeout(ms), 'abort'));

interface Figures {
	file: string;
	seconds: number;
	megabytes: number;
	age: number;
}

/** A user with the three workflows, whose n8n can be killed at any moment. */
class Board {
	readonly control: Control;
	readonly #own: OwnDesk;
	readonly #desk: Desk;
	#n8n: N8n;
	#memory: GroupMemory;
	readonly #ids = new Map<string, string>();
	kills = 0;
	/** Each execution: its workflow, its time, the memory of n8n at most, and how old that n8n is in executions. */
	readonly executions: Figures[] = [];
	#age = 0;

	constructor(own: OwnDesk) {
		const { desk, control } = own;
		this.#own = own;
		this.#desk = desk;
		this.control = control;
		this.#n8n = desk.n8n;
		this.#memory = watchMemory(this.#n8n.pid);
	}

	async import(file: string, settings: Settings = {}, people?: readonly Json[]): Promise<void> {
		const known = { folder: this.#desk.files, agentId: this.#desk.target.agentId };
		const workflow = people
			? await readShipped({ file })
			: withSettings(await readExample({ file }), { ...known, ...settings });
		const pinned = people && { pinData: pinsOf(workflow['pinData'] as object, people) };
		const credentials = { conversationDeskApi: this.#desk.credential };
		const imported = { ...workflow, ...pinned };
		this.#ids.set(file, await this.#n8n.rest.importWorkflow(imported, credentials));
	}

	async run(file: string): Promise<Execution> {
		const id = this.#ids.get(file) ?? '';
		const start = performance.now();
		this.#memory.peak();
		const execution = await this.#n8n.rest.runWorkflow(id, { timeoutMs: timeout });
		assert.equal(execution.status, 'success', `${file}: ${errorOf(execution)?.message}`);
		const { n8n, others } = this.#memory.peak();
		const seconds = (performance.now() - start) / 1000;
		this.#age += 1;
		this.executions.push({ file, seconds, megabytes: n8n + others, age: this.#age });
		if (IS_LARGE) console.error(JSON.stringify(this.executions.at(-1)));
		return execution;
	}

	/** Kills n8n in the middle of a workflow, and starts it again. */
	async kill(file: string, isInTheMiddle: () => boolean): Promise<void> {
		const { rest } = this.#n8n;
		const execution = await rest.startWorkflow(this.#ids.get(file) ?? '');
		while (!isInTheMiddle()) await pause(10);
		await this.#n8n.kill();
		this.kills += 1;
		this.#memory.stop();
		this.#n8n = await this.#own.startAgain();
		this.#memory = watchMemory(this.#n8n.pid);
		this.#age = 0;
		const { status } = await this.#n8n.rest.execution(execution);
		assert.notEqual(status, 'success', `${file} was not in the middle`);
	}

	/** How many rows n8n's database has in its Data Tables; a kill before the first would be one in the check of the sheet. */
	loaded(): number {
		const path = join(this.#desk.userFolder, '.n8n', 'database.sqlite');
		const database = new DatabaseSync(path, { readOnly: true });
		const tables = database
			.prepare(
				"SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'data_table_user_%'",
			)
			.all();
		const counts = tables.map(({ name }) =>
			database.prepare(`SELECT count(*) AS rows FROM "${String(name)}"`).get(),
		);
		database.close();
		return counts.reduce((sum, each) => sum + Number(each?.['rows']), 0);
	}

	async rows(): Promise<Json[]> {
		const id = await this.#n8n.rest.importWorkflow(readBoard);
		return itemsOf(await this.#n8n.rest.runWorkflow(id), 'dataTable');
	}
}

const pinsOf = (pinned: object, people: readonly Json[]) => ({
	...pinned,
	'Rows of an Excel File': people.map((json) => ({ json })),
});

const sheet = Array.from({ length: PEOPLE }, (_, n) => ({
	'Record ID': n,
	'First Name': `Person ${n}`,
	'Phone Number': `+1 415 ${2_000_000 + n}`,
	City: 'Lisbon',
	'Do Not Call': '',
}));

// n8n starts four times, which takes minutes on a busy machine; a large campaign takes an hour.
const timeout = IS_LARGE ? 7_200_000 : 600_000;

test(
	'the campaign board calls no one too often and loses no one, though each workflow is killed',
	{ timeout },
	async () => {
		const board = new Board(await ownDesk());
		const { control } = board;
		control.setFaults([
			{ kind: 'latency', operation: 'createConversations', ms: 120 },
			{ kind: 'latency', operation: 'getConversation', ms: 80 },
		]);
		await board.import('campaign-load.json', {}, sheet);
		const days = 'monday, tuesday, wednesday, thursday, friday, saturday, sunday';
		const hours = { days, from: '00:00', until: '24:00' };
		await board.import('campaign-run.json', { dryRun: false, callsAtOnce: AT_ONCE, ...hours });
		await board.import('campaign-collect.json', { maximumAttempts: ATTEMPTS, hoursBetween: 0 });

		await board.kill('campaign-load.json', () => board.loaded() > PEOPLE / 10);
		const began = performance.now();
		const loaded = (await board.rows()).length;
		assert.ok(loaded < PEOPLE, `${loaded} were loaded`);
		await board.run('campaign-load.json');
		assert.equal((await board.rows()).length, PEOPLE);

		const asked: Asked = (operation) => control.counts().requests[operation];
		let round = 0;
		await board.kill('campaign-run.json', () => asked('createConversations') >= 3);
		await board.run('campaign-run.json');
		await board.kill('campaign-collect.json', () => asked('getConversation') >= 25);
		// Again while the campaign runs; that of a large sheet takes minutes and shows nothing more.
		if (!IS_LARGE) await board.run('campaign-load.json');
		for (let open = await openRows(board); open.length > 0; open = await openRows(board)) {
			const before = control.counts().total;
			await board.run('campaign-collect.json');
			await board.run('campaign-run.json');
			assert.ok(control.counts().total > before, `${open.length} are left, and nothing happens`);
			round += 1;
			if (IS_LARGE && round % ROUNDS_BETWEEN_KILLS === 0) await killBoth(board, asked);
			assert.ok(AT_ONCE >= open.filter(({ state }) => state === 'calling').length);
		}
		const rows = await board.rows();
		expectExact(rows, control, board.kills);
		if (IS_LARGE) tell(board, rows, (performance.now() - began) / 1000);
	},
);

type Asked = (operation: 'createConversations' | 'getConversation') => number;

/** A collection that has noted some results, and a run that has noted some calls, are killed. */
async function killBoth(board: Board, asked: Asked): Promise<void> {
	const calling = (await openRows(board)).filter(({ state }) => state === 'calling').length;
	const read = asked('getConversation');
	if (calling > 0)
		await board.kill('campaign-collect.json', () => asked('getConversation') >= read + calling);
	await board.run('campaign-collect.json');
	const due = (await openRows(board)).filter(({ state }) => state === 'due').length;
	const sent = asked('createConversations');
	const requests = Math.min(due, AT_ONCE) / BATCH;
	if (requests >= 1)
		await board.kill(
			'campaign-run.json',
			() => asked('createConversations') >= sent + requests / 2,
		);
}

/** Prints the figures for docs/internals/reliability.md. */
function tell({ control, kills, executions }: Board, rows: readonly Json[], seconds: number): void {
	const { conversations } = control.conversations();
	const checks = rows.filter(({ state }) => state === 'check').length;
	console.error(
		`${PEOPLE} people, ${conversations.length} calls, ${executions.length} executions, ${kills} kills, ${checks} to check, ${seconds.toFixed(0)} s`,
	);
	for (const file of ['campaign-run.json', 'campaign-collect.json']) {
		// Right after its start, n8n has not loaded everything yet.
		const later = executions.filter((each) => each.file === file && each.age > 2);
		const at = (part: readonly Figures[]) => part.map(({ megabytes }) => megabytes.toFixed(0));
		console.error(
			`${file}: MB ${at(later.slice(0, 5)).join(' ')} ... ${at(later.slice(-5)).join(' ')}`,
		);
	}
}

const openRows = async (board: Board) =>
	(await board.rows()).filter(({ state }) => state !== 'done' && state !== 'check');

/** Everyone is on the board with the calls that the service made; only attempts at the moment of the kill are left to a person. */
function expectExact(rows: readonly Json[], control: Control, kills: number): void {
	const { conversations, callsPerNumber } = control.conversations();
	const callsTo = Map.groupBy(conversations, (each) => each.toPhoneNumber);
	assert.equal(new Set(rows.map(({ phone }) => phone)).size, PEOPLE);
	assert.ok(Math.max(...Object.values(callsPerNumber)) === ATTEMPTS);
	const toCheck = rows.filter(({ state }) => state === 'check');
	const most = IS_LARGE ? kills * AT_ONCE : 4 * BATCH;
	assert.ok(toCheck.length <= most && toCheck.every(({ note }) => note), `${toCheck.length}`);
	for (const { phone, state, attempt, conversationId, endReason, reached } of rows) {
		const calls = callsTo.get(String(phone)) ?? [];
		const unanswered = calls.filter((each) => each.endReason === 'user_did_not_answer');
		// No one is called again who was reached.
		assert.ok(calls.slice(0, -1).every((each) => unanswered.includes(each)));
		if (state !== 'done') continue;
		assert.equal(calls.length, attempt);
		assert.equal(calls.at(-1)?.id, conversationId);
		assert.equal(calls.at(-1)?.endReason, endReason);
		assert.equal(reached, String(endReason !== 'user_did_not_answer'));
		assert.ok(calls.length === ATTEMPTS || unanswered.length < calls.length);
	}
}
