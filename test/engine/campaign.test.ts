import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/runNode';
import { AGENT } from '../support/samples';
import { forget, serve } from '../support/service';

afterEach(forget);

const hours = {
	rows: [
		{
			days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
			from: '00:00',
			until: '24:00',
		},
	],
};

const create = (safeguards: INodeParameters, more: INodeParameters = {}): INodeParameters => ({
	resource: 'conversation',
	operation: 'create',
	inputMode: 'fields',
	agentId: AGENT,
	toPhoneNumber: '={{ $json.phone }}',
	dryRun: false,
	safeguards,
	...more,
});

it('reads the hours of the panel, and a time zone from a column of each row', async () => {
	const received = serve(() => ({ status: 200, body: '' }));
	const today = new Date().toISOString().slice(0, 10);
	const { main, hints, error } = await runNode({
		rows: [
			{ phone: '+493012345678', zone: 'UTC' },
			{ phone: '+493012345679', zone: 'Pacific/Kiritimati' },
			{ phone: '+493012345670', zone: '' },
		],
		parameters: create({
			callingHours: {
				when: { hours, daysNotToCall: `={{ "${today}" }}`, timeZone: '={{ $json.zone }}' },
			},
		}),
	});
	expect(error).toBeUndefined();
	expect(main[0]?.json).toMatchObject({
		outcome: 'notSent',
		reason: 'Not called, because it is outside Calling Hours in UTC',
		callableAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00Z$/) as string,
		timeZones: ['UTC'],
	});
	expect(main).toHaveLength(3);
	expect(hints.join()).toMatch(/of 3 are outside calling hours, the first can be called from/);
	expect(received.length).toBeLessThanOrEqual(1);
});

it('returns one item for the run, linked to all rows, as a plan and after it was approved', async () => {
	const received = serve(() => ({ status: 200, body: '' }));
	const rows = [{ phone: '+14155550178' }, { phone: '+14155550179' }, { phone: '+14155550178' }];
	const options = { outputAs: 'run' };
	const plan = await runNode({ rows, parameters: create({}, { dryRun: true, options }) });
	expect(plan.main).toEqual([
		{
			json: expect.objectContaining({ wouldSend: 2, notSent: 1, byCountry: { US: 2 } }) as object,
			pairedItem: [{ item: 0 }, { item: 1 }, { item: 2 }],
		},
	]);
	const approvedPlan = String(plan.main[0]?.json['planId']);
	const other = await runNode({
		rows: rows.slice(1),
		parameters: create({ approvedPlan }, { agentId: AGENT.replace(/^./, '1'), options }),
	});
	expect(other.error?.message).toContain('the rows differ from Approved Plan');
	expect(received).toEqual([]);
	const done = await runNode({ rows, parameters: create({ approvedPlan }, { options }) });
	expect(done.error).toBeUndefined();
	expect(done.main.map(({ json }) => json)).toMatchObject([
		{ rows: 3, requests: 1, accepted: 2, notSent: 1, perHour: [{ accepted: 2 }] },
	]);
	expect(received).toHaveLength(1);
});

it('names the hours as the panel does when they are wrong', async () => {
	const received = serve(() => ({ status: 200, body: '' }));
	const { error } = await runNode({
		rows: [{ phone: '+14155550178' }],
		parameters: create({
			callingHours: {
				when: {
					hours: { rows: [...hours.rows, { days: ['monday'], from: '25:00', until: '20:00' }] },
				},
			},
		}),
	});
	expect(error?.message).toBe(
		`'Safeguards > Calling Hours > When > Hours > Hours 2 > From' "25:00" is not a valid time. Use 24 hours, e.g. 09:00`,
	);
	expect(received).toEqual([]);
});
