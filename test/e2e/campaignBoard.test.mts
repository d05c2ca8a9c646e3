import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import type { Control } from '../../sandbox/control.mts';
import { startDesk } from '../../tools/demo/desk.mts';
import type { Desk } from '../../tools/demo/desk.mts';
import { readExample, readShipped, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { sandboxTarget } from '../../tools/demo/target.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { startN8n } from '../../tools/host/n8n.mts';
import type { N8n } from '../../tools/host/n8n.mts';
import { n8nNode, workflowOf } from '../support/workflowNodes.mts';

const PEOPLE = 240;
const ATTEMPTS = 2;
const AT_ONCE = 120;
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

/** Into the loading of the sheet, whose rows take longer than that. */
const LOADING_MS = 700;

const pause = async (ms: number) => void (await once(AbortSignal.timeout(ms), 'abort'));

/** A user with the three workflows, whose n8n can be killed at any moment. */
class Board {
	readonly control: Control;
	readonly #desk: Desk;
	#n8n: N8n;
	readonly #ids = new Map<string, string>();

	constructor(desk: Desk) {
		this.#desk = desk;
		const control = desk.target.sandbox?.control;
		assert.ok(control);
		this.control = control;
		this.#n8n = desk.n8n;
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
		const execution = await this.#n8n.rest.runWorkflow(this.#ids.get(file) ?? '');
		assert.equal(execution.status, 'success', `${file}: ${errorOf(execution)?.message}`);
		return execution;
	}

	/** Kills n8n in the middle of a workflow, and starts it again. */
	async kill(file: string, isInTheMiddle: () => boolean): Promise<void> {
		const { rest } = this.#n8n;
		const execution = await rest.startWorkflow(this.#ids.get(file) ?? '');
		while (!isInTheMiddle()) await pause(10);
		await this.#n8n.kill();
		const { userFolder, files } = this.#desk;
		this.#n8n = await startN8n({ userFolder, files });
		after(() => this.#n8n.stop());
		await this.#n8n.rest.signIn();
		const { status } = await this.#n8n.rest.execution(execution);
		assert.notEqual(status, 'success', `${file} was not in the middle`);
	}

	async rows(): Promise<Json[]> {
		const id = await this.#n8n.rest.importWorkflow(readBoard);
		return itemsOf(await this.#n8n.rest.runWorkflow(id), 'dataTable');
	}
}

const pinsOf = (pinned: object, people: readonly Json[]) => ({
	...pinned,
	'Rows of the Sheet': people.map((json) => ({ json })),
});

const sheet = Array.from({ length: PEOPLE }, (_, n) => ({
	'Record ID': n,
	'First Name': `Person ${n}`,
	'Phone Number': `+1 415 555 ${1000 + n}`,
	City: 'Lisbon',
	'Do Not Call': '',
}));

test('the campaign board calls no one too often and loses no one, though each workflow is killed', async () => {
	const desk = await startDesk(() => sandboxTarget({ tickets: 0 }), console.error);
	after(() => desk.stop());
	const board = new Board(desk);
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

	const start = Date.now();
	await board.kill('campaign-load.json', () => Date.now() > start + LOADING_MS);
	const loaded = (await board.rows()).length;
	assert.ok(loaded < PEOPLE, `${loaded} were loaded`);
	await board.run('campaign-load.json');
	assert.equal((await board.rows()).length, PEOPLE);

	const { requests } = control.counts();
	const asked = (operation: keyof typeof requests) => control.counts().requests[operation];
	await board.kill('campaign-run.json', () => asked('createConversations') >= 3);
	await board.run('campaign-run.json');
	await board.kill('campaign-collect.json', () => asked('getConversation') >= 25);
	await board.run('campaign-load.json');
	for (let open = PEOPLE; open > 0; open = (await openRows(board)).length) {
		const before = control.counts().total;
		await board.run('campaign-collect.json');
		await board.run('campaign-run.json');
		assert.ok(control.counts().total > before, `${open} are left, and nothing happens`);
		assert.ok(AT_ONCE >= (await openRows(board)).filter(({ state }) => state === 'calling').length);
	}
	expectExact(await board.rows(), control);
});

const openRows = async (board: Board) =>
	(await board.rows()).filter(({ state }) => state !== 'done' && state !== 'check');

/** Everyone is on the board with the calls that the service made; only attempts at the moment of the kill are left to a person. */
function expectExact(rows: readonly Json[], control: Control): void {
	const { conversations, callsPerNumber } = control.conversations();
	assert.equal(new Set(rows.map(({ phone }) => phone)).size, PEOPLE);
	assert.ok(Math.max(...Object.values(callsPerNumber)) === ATTEMPTS);
	const toCheck = rows.filter(({ state }) => state === 'check');
	assert.ok(toCheck.length <= 4 * BATCH && toCheck.every(({ note }) => note), `${toCheck.length}`);
	for (const { phone, state, attempt, conversationId, endReason, reached } of rows) {
		const calls = conversations.filter((each) => each.toPhoneNumber === phone);
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
