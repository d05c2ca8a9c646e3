import { good } from '../../support/credential';
import { calls, createBatch, mapped } from '../../support/panel';
import { runNode } from '../../support/runNode';
import { PHONE } from '../../support/samples';
import { forget, serve } from '../../support/service';

const batch = {
	...createBatch,
	customer: mapped({ identifier: '={{ $json.id }}', phoneNumber: '={{ $json.phone }}' }),
};
const taken = () => ({ status: 200, body: { jobId: 'job-1' } });

afterEach(forget);

it('groups rows by their reason, whatever their values', async () => {
	const received = serve(taken);
	const rows = Array.from({ length: 20 }, (_, i) => ({
		phone: i % 2 === 0 ? PHONE.replace(/\d$/, String(i % 10)) : `212-555-01${10 + i}`,
	}));
	const { error } = await runNode({ rows, parameters: calls });
	expect(received).toHaveLength(0);
	expect(error?.message).toBe(
		"0 people were called. 10 rows: 'To Phone Number' has no country code (rows 2, 4, 6 and 7 more). Add it, or set Default Country",
	);
});

it.each([['accessToken'], ['workspaceSlug']])(
	'stops without %s before anything is sent, in a dry run too',
	async (field) => {
		const received = serve(taken);
		for (const dryRun of [false, true]) {
			const { error } = await runNode({
				rows: [{ id: '1' }],
				parameters: { ...batch, dryRun },
				credential: { ...good, [field]: ' ' },
			});
			expect(error?.message).toMatch(/^'Credential > (Access Token|Workspace Slug)' is empty/);
		}
		expect(received).toHaveLength(0);
	},
);

it('says in the hint of a dry run what could be called, why nothing would be sent, and the commonest reason', async () => {
	const rows = [{ phone: '212-555-0197' }, { phone: '212-555-0196' }, { phone: PHONE }];
	const { main, hints } = await runNode({ rows, parameters: { ...calls, dryRun: true } });
	expect(hints.flatMap((hint) => hint.split('<br>'))).toEqual([
		expect.stringMatching(/^Dry run: nothing would be sent, because 2 rows are invalid/),
		'2 rejected before sending',
		'2 rows: &#39;To Phone Number&#39; has no country code (rows 1 and 2). Add it, or set Default Country',
	]);
	expect(main.map(({ json }) => Object.keys(json).slice(0, 3))).toEqual(
		rows.map(() => ['row', 'outcome', 'reason']),
	);
	const [first] = main;
	expect(Object.keys(first?.json ?? {}).indexOf('dryRun')).toBeGreaterThan(4);
	for (const { json } of main) expect(Object.keys(json)).toEqual(Object.keys(first?.json ?? {}));
	expect(main.map(({ json }) => [json['outcome'], json['request'], json['dryRun']])).toEqual([
		['rejected', undefined, true],
		['rejected', undefined, true],
		['notSent', undefined, true],
	]);
});
