import { judgeReply } from '../../../src/customers/judgeReply';

const judged = (reply: unknown) =>
	judgeReply(
		{ jobId: 'j', ...Object(reply) },
		['a', 'b', 'c'].map((identifier) => ({ identifier })),
	)
		.map(({ kind }) => kind)
		.join(' ');
const taken = { identifier: 'a', status: 'created' };
const refused = { identifier: 'b', status: 'error', message: 'x' };

it.each<[string, unknown]>([
	['unknown unknown unknown', { customers: [{ name: 'A' }], warnings: ['late'], errors: [] }],
	['unknown unknown unknown', { created: [7, 8] }],
	['accepted accepted accepted', { warnings: ['late'], errors: [], results: [{ jobId: 'k' }] }],
	['accepted accepted accepted', { customers: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] }],
	[
		'accepted accepted accepted',
		{ customers: ['a', 'b', 'c'].map((identifier) => ({ identifier, metadata: refused })) },
	],
	['accepted accepted accepted', { total: 3, processed: 0, failed: 0 }],
	[
		'accepted accepted accepted',
		{
			customers: ['a', 'b', 'c'].map((identifier) => ({
				...{ identifier, priority: 5, source: { method: 'api' }, isDoNotDisturbEnabled: false },
			})),
		},
	],
	['unknown unknown unknown', { message: '1 customer was rejected' }],
	['unknown unknown unknown', { message: '2 of 3 customers accepted' }],
	['accepted rejected unknown', { results: [taken, refused] }],
	['accepted unknown accepted', { customers: [taken, { identifier: 'c' }] }],
	['accepted unknown accepted', { created: ['a', 'c'] }],
	['unknown unknown unknown', { results: [taken, { status: 'error' }] }],
	['rejected unknown unknown', { results: [{ customer: { identifier: 'a' }, error: 'x' }] }],
	['unknown unknown unknown', { invalidCustomers: [{ identifier: 'b' }] }],
	['unknown unknown unknown', { report: { duplicates: ['b'] } }],
	['unknown unknown unknown', { issues: [{ path: ['customers', 1, 'email'], message: 'bad' }] }],
	['unknown unknown unknown', { job: { status: 'failed' } }],
	['unknown unknown unknown', { error: '1 of 3 failed', jobId: '' }],
	['unknown unknown unknown', { success: false, index: 1, jobId: '' }],
	['rejected rejected rejected', { success: false, message: 'Invalid key', jobId: '' }],
	['accepted rejected unknown', { results: [taken, { ...refused, email: 'b@example.com' }] }],
])('three customers are %s by %j', (outcomes, reply) => {
	expect(judged(reply)).toBe(outcomes);
});
