import type { INodeParameters } from 'n8n-workflow';
import { calls, createBatch } from '../support/panel';
import { runNode } from '../support/runNode';
import { PHONE } from '../support/samples';
import { forget, serve } from '../support/service';

afterEach(forget);

// A cell without a digit would be an empty one.
const IMAGE = '<img src="https://evil.test/1.png">';
const LINK = `<a href='https://evil.test/'>Sign in & go on</a>`;

const customers: INodeParameters = {
	...createBatch,
	inputMode: 'json',
	customerJson: '{"identifier": "A"}',
};

/** The elements that n8n would draw in a text; none may come from data. */
const elements = (html: string | null | undefined): string[] =>
	(html ?? '').replaceAll('<br>', '').match(/<[^>]*>?/g) ?? [];

it('shows an image in a phone cell as text, in the hint of a dry run and in the description of an error', async () => {
	serve(() => ({ status: 200, body: [] }));
	const rows = [{ phone: IMAGE }, { phone: PHONE }];
	const { hints, main } = await runNode({ parameters: { ...calls, dryRun: true }, rows });
	expect(hints.join()).toContain('‹img src="https://evil.test');
	expect(elements(hints.join())).toEqual([]);
	expect(JSON.stringify(main)).toContain('<img src=');
	const { error } = await runNode({
		parameters: { ...calls, dryRun: false },
		rows: [{ phone: PHONE + '1234567890' }, { phone: IMAGE }, { phone: IMAGE }],
	});
	expect(error?.description).toContain('<br>');
	expect(elements(error?.description)).toEqual([]);
	expect(error?.message).not.toContain('&lt;');
	expect(elements(error?.message)).toEqual([]);
});

it('shows a link in the message of a service as text', async () => {
	serve(() => ({ status: 400, body: { code: 'BAD_REQUEST', message: LINK, issues: [LINK] } }));
	const stopped = await runNode({
		parameters: customers,
		rows: [{}, {}],
	});
	// n8n shows a message as text in the node, and as HTML in the notice of a failed execution.
	expect(stopped.error?.message).toContain(`‹a href='https://evil.test/'>Sign in & go on‹/a>`);
	expect(elements(stopped.error?.description)).toEqual([]);
	const { hints, errors, main } = await runNode({
		parameters: customers,
		settings: { onError: 'continueRegularOutput' },
	});
	expect(hints.join()).toContain(`‹a href='https://evil.test/'>Sign in & go on`);
	expect(elements(hints.join())).toEqual([]);
	expect(JSON.stringify([main, errors])).toContain('<a href=');
});

it('shows the beginning of a hint that a long cell or name of a column makes long', async () => {
	serve(() => ({ status: 200, body: { jobId: 'job-1' } }));
	const long = 'x'.repeat(200_000);
	const { error } = await runNode({
		parameters: { ...calls, whoMayBeCalled: 'notMarked', doNotCallColumn: 'nope' },
		rows: [{ [`Do Not Call ${long}`]: 'yes', phone: PHONE }, { phone: '+14155550179' }],
	});
	expect(error?.message).toContain('Do Not Call xxx');
	expect(error?.message.length).toBeLessThan(10_000);
});
