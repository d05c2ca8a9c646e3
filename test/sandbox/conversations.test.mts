import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { interfaceText } from '../support/interfaceTable.mts';
import { call, open } from './client.mts';

describe('conversations', () => {
	let now = Date.UTC(2025, 0, 1);
	let sandbox: Awaited<ReturnType<typeof open>>;
	before(async () => {
		sandbox = await open({ now: () => now });
	});
	beforeEach(() => sandbox.control.reset());
	after(() => sandbox.close());

	it('creates conversations and reads one with every documented field', async () => {
		const { json } = await sandbox.create({ conversations: [call('+14155550100')] });
		const { json: read } = await sandbox.read(json.conversations?.[0]?.id ?? '');
		const fields = Object.keys(read);
		assert.equal(fields.length, 28);
		// One of three alike is between the names of the others.
		const named = fields.filter((field) => field !== 'postCallCategory2');
		assert.deepEqual(
			named.filter((field) => !interfaceText.includes(`\`${field}\``)),
			[],
		);
		assert.equal(read['conversationStatus'], 'completed');
		assert.equal(read['dynamicVariables'], '{"name":"Zoë"}');
	});

	it('moves a conversation on with time', async () => {
		sandbox.control.setOptions({ finishAfterMs: { min: 3_000, max: 6_000 } });
		const { json } = await sandbox.create({ conversations: [call('+14155550100')] });
		const read = async (time: number) => {
			now += time;
			const answer = await sandbox.read(json.conversations?.[0]?.id ?? '');
			return [answer.json['conversationStatus'], answer.json['callEndTime'] === null];
		};
		assert.deepEqual(await read(0), ['queued', true]);
		assert.deepEqual(await read(2_500), ['in_progress', true]);
		assert.deepEqual(await read(4_000), ['completed', false]);
	});

	it('answers in the shape it is set to', async () => {
		const conversations = [call('+14155550100'), call('+14155550101')];
		const reply = async (shape: 'array' | 'wrapped' | 'ids' | 'single' | 'empty') => {
			sandbox.control.setOptions({ conversationReply: shape });
			return (await sandbox.create({ conversations })).text;
		};
		assert.equal(JSON.parse(await reply('array')).length, 2);
		assert.equal(JSON.parse(await reply('wrapped')).conversations.length, 2);
		assert.equal(JSON.parse(await reply('ids')).ids.length, 2);
		assert.deepEqual(Object.keys(JSON.parse(await reply('single'))), ['id']);
		assert.equal(await reply('empty'), '');
		const { callsPerNumber } = sandbox.control.conversations();
		assert.deepEqual(callsPerNumber, { '+14155550100': 5, '+14155550101': 5 });
	});

	it('creates all or none, and names what is wrong', async () => {
		const good = call('+14155550100');
		const wrong: Array<[unknown, string]> = [
			[{ ...good, toPhoneNumber: '0171 123' }, 'toPhoneNumber'],
			[{ ...good, agentId: 'agent' }, 'agentId'],
			[{ ...good, conversationType: 7 }, 'conversationType'],
			[{ ...good, dynamicVariables: 'a' }, 'dynamicVariables'],
			[{ ...good, dynamicVariables: undefined }, 'dynamicVariables'],
		];
		for (const [row, member] of wrong) {
			const { status, json } = await sandbox.create({ conversations: [good, row] });
			assert.equal(status, 400);
			assert.deepEqual(json.issues?.[0]?.path, ['conversations', 1, member]);
		}
		for (const body of [{ conversations: [] }, {}, [good], { conversations: [good], dryRun: 1 }]) {
			assert.equal((await sandbox.create(body)).status, 400);
		}
		assert.equal((await sandbox.create({ conversations: [{ ...good, note: '' }] })).status, 400);
		assert.equal(sandbox.control.counts().conversationsCreated, 0);
	});
});
