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
import type { Json } from '../../tools/host/execution.mts';
import type { N8n } from '../../tools/host/n8n.mts';
import { n8nNode, workflowOf } from '../support/workflowNodes.mts';
import { ownDesk } from './ownDesk.mts';
import type { OwnDesk } from './ownDesk.mts';

const PEOPLE = 120;
const ATTEMPTS = 2;
const AT_ONCE = 60;
/** Conversations per request; a kill can make their outcomes unknown. */
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

/** A user with the three workflows, whose n8n can be killed at any moment. */
class Board {
	readonly control: Control;
	readonly #restartable: OwnDesk;
	readonly #desk: Desk;
	#n8n: N8n;
	readonly #ids = new Map<string, string>();

	constructor(restartable: OwnDesk) {
		this.control = restartable.control;
		this.#restartable = restartable;
		this.#desk = restartable.desk;
		this.#n8n = restartable.desk.n8n;
	}

	async import(file: string, settings: Settings = {}, people?: readonly Json[]): Promise<void> {
		const deskSettings = { folder: this.#desk.files, agentId: this.#desk.target.agentId };
		const workflow = people
			? await readShipped({ file })
			: withSettings(await readExample({ file }), { ...deskSettings, ...settings });
		const pinned = people && { pinData: pinsOf(workflow['pinData'] as object, people) };
		const credentials = { conversationDeskApi: this.#desk.credential };
		const imported = { ...workflow, ...pinned };
		this.#ids.set(file, await this.#n8n.rest.importWorkflow(imported, credentials));
	}

	async run(file: string): Promise<void> {
		const id = this.#ids.get(file) ?? '';
		const execution = await this.#n8n.rest.runWorkflow(id, { timeoutMs: TIMEOUT });
		assert.equal(execution.status, 'success', `${file}: ${errorOf(execution)?.message}`);
	}

	/** Kills n8n in the middle of a workflow, and starts it again. */
	async kill(file: string, isInTheMiddle: () => boolean): Promise<void> {
		const { rest: api } = this.#n8n;
		const execution = await api.startWorkflow(this.#ids.get(file) ?? '');
		while (!isInTheMiddle()) await pause(10);
		await this.#n8n.kill();
		this.#n8n = await this.#restartable.startAgain();
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

// n8n starts four times, which takes minutes on a busy machine.
const TIMEOUT = 600_000;

test(
	'the campaign board calls no one too often and loses no one, though each workflow is killed',
	{ timeout: TIMEOUT },
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
		const loaded = (await board.rows()).length;
		assert.ok(loaded < PEOPLE, `${loaded} were loaded`);
		await board.run('campaign-load.json');
		assert.equal((await board.rows()).length, PEOPLE);

		const { requests } = control.counts();
		const countOf = (operation: keyof typeof requests) => control.counts().requests[operation];
		await board.kill('campaign-run.json', () => countOf('createConversations') >= 3);
		await board.run('campaign-run.json');
		await board.kill('campaign-collect.json', () => countOf('getConversation') >= 25);
		// Again while the campaign runs.
		await board.run('campaign-load.json');
		for (let open = await openRows(board); open.length > 0; open = await openRows(board)) {
			const before = control.counts().total;
			await board.run('campaign-collect.json');
			await board.run('campaign-run.json');
			assert.ok(control.counts().total > before, `${open.length} are left, and nothing happens`);
			assert.ok(AT_ONCE >= open.filter(({ state }) => state === 'calling').length);
		}
		expectExact(await board.rows(), control);
	},
);

const openRows = async (board: Board) =>
	(await board.rows()).filter(({ state }) => state !== 'done' && state !== 'check');

/** Everyone is on the board with the calls that the service made; only attempts at the moment of the kill are left to a person. */
function expectExact(rows: readonly Json[], control: Control): void {
	const { conversations, callsPerNumber } = control.conversations();
	const callsTo = Map.groupBy(conversations, (each) => each.toPhoneNumber);
	assert.equal(new Set(rows.map(({ phone }) => phone)).size, PEOPLE);
	assert.ok(Math.max(...Object.values(callsPerNumber)) === ATTEMPTS);
	const toCheck = rows.filter(({ state }) => state === 'check');
	assert.ok(toCheck.length <= 4 * BATCH && toCheck.every(({ note }) => note), `${toCheck.length}`);
	for (const { phone, state, attempt, conversationId, endReason, reached } of rows) {
		const calls = callsTo.get(String(phone)) ?? [];
		const unanswered = calls.filter((each) => each.endReason === 'user_did_not_answer');
		// No one who was reached is called again.
		assert.ok(calls.slice(0, -1).every((each) => unanswered.includes(each)));
		if (state !== 'done') continue;
		assert.equal(calls.length, attempt);
		assert.equal(calls.at(-1)?.id, conversationId);
		assert.equal(calls.at(-1)?.endReason, endReason);
		assert.equal(reached, String(endReason !== 'user_did_not_answer'));
		assert.ok(calls.length === ATTEMPTS || unanswered.length < calls.length);
	}
}
