import cloneDeep from 'lodash/cloneDeep';
import set from 'lodash/set';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationDesk } from '../../../nodes/ConversationDesk/ConversationDesk.node';
import { called, calls } from '../../support/panel';
import { runNode } from '../../support/runNode';
import { AGENT, PHONE } from '../../support/samples';
import { forget, serve } from '../../support/service';

afterEach(forget);

const always = {
	days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
	from: '00:00',
	until: '24:00',
};

const create = (parameters: IDataObject): INodeParameters =>
	({ ...calls, ...parameters }) as INodeParameters;

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
			safeguards: {
				callingHours: {
					when: {
						hours: { rows: [always] },
						daysNotToCall: `={{ "${today}" }}`,
						timeZone: '={{ $json.zone }}',
					},
				},
			},
		}),
	});
	expect(error).toBeUndefined();
	expect(main[0]?.json).toMatchObject({
		outcome: 'notSent',
		code: 'outsideHours',
		reason: 'Outside Calling Hours in UTC',
		callableAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00Z$/) as string,
		timeZones: ['UTC'],
	});
	expect(main).toHaveLength(3);
	expect(hints.join()).toMatch(/Outside calling hours: the first can be called from/);
	expect(received.length).toBeLessThanOrEqual(1);
});

/** Two people who pass all safeguards of `whole`. */
const rows = [
	{ phone: PHONE, mark: 'no' },
	{ phone: '+14155550179', mark: '' },
];

/** All safeguards with a value that lets both rows be called. */
const whole: IDataObject = {
	dryRun: false,
	whoMayBeCalled: 'notMarked',
	doNotCallColumn: 'mark',
	dynamicVariables: { variables: [{ name: 'first', value: 'Ana' }] },
	safeguards: {
		allowedCountries: ['US'],
		attempts: { limit: { campaignKey: 'spring', maximum: 2 } },
		callingHours: {
			when: {
				hours: { rows: [always] },
				daysNotToCall: '2020-12-25',
				timeZone: 'America/New_York',
			},
		},
		hoursBetweenCalls: 12,
		maximumConversations: 500,
		maximumPerDay: 100,
		personId: '={{ $json.phone }}',
		requiredVariables: 'first',
		yesValues: 'DNC',
		noValues: 'Lead',
	},
};

/** The options of the panel under Safeguards. */
const safeguards = new ConversationDesk().description.properties
	.flatMap(({ name, options = [] }) => (name === 'safeguards' ? options : []))
	.filter((option) => 'type' in option && option.type !== 'hidden');

const PATHS = [
	'dryRun',
	'doNotCallColumn',
	'safeguards',
	...safeguards.map(({ name }) => `safeguards.${name}`),
	'safeguards.attempts.limit',
	'safeguards.attempts.limit.campaignKey',
	'safeguards.attempts.limit.maximum',
	'safeguards.callingHours.when',
	'safeguards.callingHours.when.daysNotToCall',
	'safeguards.callingHours.when.hours',
	'safeguards.callingHours.when.hours.rows[0].days',
	'safeguards.callingHours.when.hours.rows[0].from',
	'safeguards.callingHours.when.hours.rows[0].until',
	'safeguards.callingHours.when.timeZone',
];

/** Expressions with a misspelt field, or on a node that returned another shape. */
const NOTHING = ['undefined', 'null', '[]', '({})', '""', '$json.noSuchColumn', '$json.nope ?? ""'];

/** Blank is a value of these: a cell that is not filled in. */
const MAY_BE_BLANK = ['safeguards.callingHours.when.timeZone', 'safeguards.personId'];
const isLegal = (path: string, nothing: string): boolean =>
	MAY_BE_BLANK.includes(path) && nothing === '""';

/** Runs people with all safeguards and this entry in one parameter. */
async function enter(path: string, entered: string, people: IDataObject[] = rows) {
	const received = serve(() => ({ status: 200, body: '' }));
	const parameters = create(set(cloneDeep(whole), path, entered));
	const { error, main } = await runNode({ rows: people, parameters });
	return { requests: received.length, error, main };
}

it('calls both with all safeguards in place', async () => {
	const { error, requests } = await enter('dryRun', '={{ false }}');
	expect([error, requests]).toEqual([undefined, 1]);
});

const cases = PATHS.flatMap((path) =>
	NOTHING.filter((nothing) => !isLegal(path, nothing)).map((nothing) => [path, nothing] as const),
);

it.each(cases)('calls no one and names %s where its expression gives %s', async (path, nothing) => {
	const { error, main, requests } = await enter(path, `={{ ${nothing} }}`);
	expect([requests, main]).toEqual([0, []]);
	expect(error?.message).toMatch(
		/empty|one expression|no value|gives nothing|no row has|not a |must be|neither|no hours|no number|Enter|is an expression/,
	);
});

/** Comparisons with a missing column, which are false and cause no error. */
const COMPARED = [
	'!!$json.nope',
	'$json.nope === "yes"',
	'$json?.["nope"] == "yes"',
	'$json.nope ? true : false',
	'$json.nope === "yes" || $json.nope === "y"',
];
const NOPE = "reads 'nope', which no row has as a column. Columns found: 'phone', 'mark'";

it.each([
	...COMPARED.map((compared) => ['dryRun', `={{ ${compared} }}`, NOPE]),
	['doNotCallColumn', ' ', 'is empty. Drag a column here, or enter its name'],
	['doNotCallColumn', '=', 'is an expression'],
	['doNotCallColumn', '={{ $json.mark }}', 'Switch it to Fixed and enter the name of a column'],
	['doNotCallColumn', '{{ $json.mark }}', 'Edit Fields can compute one'],
	['safeguards.callingHours.when.timeZone', '= ', 'is empty'],
	['safeguards.personId', '=', 'is empty'],
])('calls no one where %s is %s', async (path, entered, message) => {
	const { error, requests } = await enter(path, entered);
	expect(error?.message).toContain(message);
	expect(requests).toBe(0);
});

it.each(['safeguards.callingHours.when.timeZone', 'safeguards.personId', 'defaultCountry'])(
	'calls everyone where %s is a column whose cells are all empty',
	async (path) => {
		const blank = rows.map((row) => ({ ...row, blank: null }));
		const { error, requests } = await enter(path, '={{ $json.blank }}', blank);
		expect([error, requests]).toEqual([undefined, 1]);
	},
);

describe('a row with an expression that fails, in a node that continues on errors', () => {
	const FAILS = '={{ $json.when.toDateTime().toISO() }}';
	const run = async (more: object, first: object = {}) => {
		const received = serve(() => ({ status: 200, body: '' }));
		const { error, main, errors, hints } = await runNode({
			settings: { onError: 'continueErrorOutput' },
			rows: [
				{ phone: PHONE, mark: 'yes', ...first },
				{ phone: PHONE, mark: 'no', when: '2026-01-01' },
				{ phone: '+14155550142', mark: 'no', when: '2026-01-02' },
			],
			parameters: create({
				options: { invalidRows: 'sendValid' },
				...more,
			} as IDataObject),
		});
		expect(error).toBeUndefined();
		const reported = JSON.stringify([...main, ...errors]);
		return { called: called(received), reported, hints: hints.join() };
	};
	const mark = { whoMayBeCalled: 'notMarked', doNotCallColumn: 'mark' };

	it('keeps its mark and its number', async () => {
		const agentId = `={{ $json.when.toDateTime().toISO().slice(0, 0) + '${AGENT}' }}`;
		const { called, reported } = await run({ ...mark, agentId });
		expect(called).toEqual(['+14155550142']);
		expect(reported).toContain('Row 2: Marked do not call in row 1');
	});

	it.each([
		['Person ID', { safeguards: { personId: FAILS } }, ['+14155550142']],
		[
			'number',
			{ toPhoneNumber: '={{ $json.when.toDateTime().toISO().slice(0, 0) + $json.phone }}' },
			[PHONE, '+14155550142'],
		],
	])('is named where it is marked and its %s is not known', async (_, more, expected) => {
		const { called, hints } = await run({ ...mark, ...more });
		expect(called).toEqual(expected);
		expect(hints).toContain('Row 1: marked, without a readable number');
	});

	it('stops only the rows whose expression fails, and the other rows are called', async () => {
		const more = { ...mark, safeguards: { personId: FAILS } };
		const { called, reported } = await run(more, { mark: 'no' });
		expect(called).toEqual([PHONE, '+14155550142']);
		expect(reported).toContain("'Safeguards > Person ID' could not be read: ");
	});
});

const hoursOf = (when: unknown) => ({ safeguards: { callingHours: { when } } }) as IDataObject;

it.each([
	['the hours', hoursOf({ hours: '={{ $json.rows }}' })],
	['their rows', hoursOf({ hours: { rows: '={{ $json.rows }}' } })],
	['the whole group', hoursOf('={{ $json.when }}')],
])(
	'calls no one where an expression replaces %s: n8n makes default rows of it',
	async (_, more) => {
		const received = serve(() => ({ status: 200, body: '' }));
		const rows = [{ phone: PHONE, rows: [always], when: { hours: { rows: [always] } } }];
		const { error } = await runNode({ rows, parameters: create(more) });
		expect([received, error?.message]).toEqual([[], expect.stringContaining('Calling Hours')]);
	},
);

it.each<[string, IDataObject]>([
	["'To Phone Number' contains an expression", { toPhoneNumber: "{{ $json['phone'] }}" }],
	[
		"'Agent ID' contains an expression, but is set to Fixed",
		{ agentId: { __rl: true, mode: 'id', value: '{{ $json.agent }}' } },
	],
])('calls no one where a field has its column as text: %s', async (message, more) => {
	const received = serve(() => ({ status: 200, body: '' }));
	// A source leaves out empty cells.
	const rows = [{ phone: PHONE }, { phone: PHONE, 'Do Not Call': 'no' }];
	const { error } = await runNode({ rows, parameters: create(more) });
	expect([received, error?.message]).toEqual([[], expect.stringContaining(message)]);
});
