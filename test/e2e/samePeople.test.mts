import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { itemsOf } from '../../tools/host/execution.mts';
import { control, desk, itemsFrom, nodeName, ownNode, run } from './desk.mts';

describe('people whose rows look alike in a real n8n', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	/** What one person has, and another row of the same one, with characters that no one sees. */
	const twice = { type: 'telephony', phone: '+14155550101', mark: 'no', person: '' };
	const again = { ...twice, type: 'Phone Call', phone: '\u202a+1 415 555 0101\u202c' };
	const barred = { type: 'voice', phone: '+14155550102', mark: '', person: '' };
	const chat = { type: 'chat', phone: '', mark: 'no', person: 'P-1' };
	const people = [
		...[twice, again],
		...[barred, { ...barred, mark: 'yes\u200b' }],
		...[chat, { ...chat, type: 'CHAT', mark: 'x', person: 'P-1\u200b' }],
	];
	const common = {
		resource: 'conversation',
		operation: 'create',
		dryRun: false,
		safeguards: {
			doNotCall: { people: { mark: '={{ $json.mark }}' } },
			personId: '={{ $json.person }}',
		},
	};

	test('are contacted once, and not at all if any of their rows is marked', async () => {
		const node = ownNode({
			...common,
			agentId: desk.target.agentId,
			conversationType: '={{ $json.type }}',
			toPhoneNumber: '={{ $json.phone }}',
		});
		const execution = await run('Rows that look alike', [...itemsFrom(people), node]);
		assert.equal(execution.status, 'success');
		assert.deepEqual(
			itemsOf(execution, nodeName).map(({ row, outcome }) => [row, outcome]),
			people.map((_, index) => [index + 1, index === 0 ? 'accepted' : 'notSent']),
		);
		assert.deepEqual(control.conversations().callsPerNumber, { '+14155550101': 1 });
	});

	test('are not called by another row if the JSON of the marked one is wrong', async () => {
		const [right, wrong] = [desk.target.agentId, 'unknown'].map((agentId) => ({
			json: JSON.stringify({ agentId, toPhoneNumber: '+14155550103' }),
			person: '',
		}));
		const rows = [
			{ ...right, mark: 'no' },
			{ ...wrong, mark: 'yes' },
		];
		const node = ownNode({
			...common,
			inputMode: 'json',
			conversationsJson: '={{ $json.json }}',
		});
		const execution = await run('A marked row that is wrong', [...itemsFrom(rows), node]);
		assert.equal(execution.status, 'success');
		assert.equal(control.counts().requests.createConversations, 0);
	});
});
