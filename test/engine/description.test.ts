import omit from 'lodash/omit';
import partition from 'lodash/partition';
import without from 'lodash/without';
import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { ConversationDeskTrigger } from '../../nodes/ConversationDesk/ConversationDeskTrigger.node';
import { countries } from '../../nodes/ConversationDesk/descriptions/countries';
import type { CountryCode } from '../../src/core/libphonenumber';
import { callingCodeOf, metadata, readNationalPrefix } from '../../src/core/libphonenumber';
import { events } from '../../src/tickets/trigger/events';
import { operations } from '../../src/operations';
import { columnNames, columns } from '../../src/tickets/columns';
import { builderOperators, takenFields } from '../../src/tickets/filters/builderOperators';
import { operators, operatorsByKind } from '../../src/tickets/operators';

const { description } = new ConversationDesk();
const trigger = new ConversationDeskTrigger().description;

/** Every property of the panel, those inside collections too. */
function all(properties: readonly INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const inner = (property.options ?? []).flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? [option] : [],
		);
		return [property, ...all(inner)];
	});
}

const nodeProperties = all(description.properties);
const everything = [...nodeProperties, ...all(trigger.properties)];

const menuOf = (property: INodeProperties): INodePropertyOptions[] =>
	(property.options ?? []).filter((option): option is INodePropertyOptions => 'value' in option);

const valuesOf = (property: INodeProperties) => menuOf(property).map(({ value }) => value);

const conditions = nodeProperties.filter(({ name }) => name === 'conditions' || name === 'filters');
const fields = all(conditions).filter(({ name }) => name !== 'filters');

/** The fields of a condition that the panel shows for a column and an operator. */
const shown = (column: string, operator: string): INodeProperties[] =>
	fields.filter((field) =>
		NodeHelpers.displayParameter({ column, operator }, field, null, description),
	);

/** The names of the fields in which a condition takes its value. */
const valueFieldsShown = (column: string, operator: string): string[] =>
	shown(column, operator).flatMap(({ name }) =>
		['column', 'operator'].includes(name) ? [] : name,
	);

it('offers every column to filter, to sort and to select', () => {
	const menus = everything.filter(
		({ name, type, displayOptions }) =>
			['column', 'columns'].includes(name) &&
			/options/i.test(type) &&
			!displayOptions?.show?.['resource']?.includes('conversation'),
	);
	expect(menus).toHaveLength(6);
	for (const property of menus) {
		expect(valuesOf(property).sort()).toEqual([...columnNames].sort());
	}
});

it.each(columnNames)('offers for %s the operators of its kind, each with its fields', (column) => {
	const { kind } = columns[column];
	const offered = builderOperators(kind);
	const menus = shown(column, 'eq').filter(({ name }) => name === 'operator');
	expect(menus.map(valuesOf)).toEqual([expect.arrayContaining([...offered.keys()])]);
	expect(menus.flatMap(valuesOf)).toHaveLength(offered.size);
	const labels = menus.flatMap(menuOf).map(({ name }) => name);
	expect(new Set(labels).size).toBe(offered.size);
	for (const [operator, { takes }] of offered) {
		const fields = [takenFields[kind][takes] ?? []].flat();
		expect([operator, ...valueFieldsShown(column, operator)]).toEqual([operator, ...fields]);
	}
	for (const operator of operatorsByKind[kind].jsonOnly)
		expect(valueFieldsShown(column, operator)).toEqual([]);
});

it('has an entry in its menus for each operation of the registry, and no other', () => {
	const menus = description.properties.filter(({ name }) => name === 'operation');
	const offered = menus.flatMap((property) =>
		valuesOf(property).map(
			(value) => `${String(property.displayOptions?.show?.['resource']?.[0])}.${String(value)}`,
		),
	);
	const registered = Object.entries(operations).flatMap(([resource, named]) =>
		Object.keys(named).map((name) => `${resource}.${name}`),
	);
	expect(offered.sort()).toEqual(registered.sort());
});

/** How much the panel of an operation shows before anything is added: its fields, and what each collection offers. */
function firstView(entered: INodeParameters) {
	const parameters =
		NodeHelpers.getNodeParameters(
			description.properties,
			entered,
			true,
			false,
			null,
			description,
		) ?? {};
	const shownNow = description.properties.filter(
		(property) =>
			property.type !== 'notice' &&
			NodeHelpers.displayParameter(parameters, property, null, description),
	);
	const [collections, fieldProperties] = partition(shownNow, ({ type }) => type === 'collection');
	const countEntries = (name: string) =>
		(collections.find((each) => each.name === name)?.options ?? []).filter(
			(option) =>
				'type' in option &&
				option.type !== 'hidden' &&
				NodeHelpers.displayParameter({}, option, null, description, parameters),
		).length;
	// Of the list of variables there is only a button.
	const fields = without(
		fieldProperties.map(({ name }) => name),
		'resource',
		'operation',
		'dynamicVariables',
	);
	return { fields, options: countEntries('options'), safeguards: countEntries('safeguards') };
}

it.each([
	['conversation', 'create', { variablesMode: 'columns' }, 9, 9],
	['conversation', 'create', { variablesMode: 'fields' }, 9, 9],
	['conversation', 'create', { variablesMode: 'json' }, 10, 9],
	['conversation', 'get', {}, 4, 8],
	['customer', 'createBatch', {}, 4, 13],
	['customer', 'upsertBatch', {}, 3, 14],
	['ticket', 'get', {}, 2, 1],
	['ticket', 'search', {}, 6, 6],
])(
	'keeps %s: %s with %j to %i fields and %i options',
	(resource, operation, more, max, options) => {
		const view = firstView({ resource, operation, ...more });
		expect(view.fields.length).toBeLessThanOrEqual(max);
		expect(view.options).toBeLessThanOrEqual(options);
		expect(view.safeguards).toBeLessThanOrEqual(12);
	},
);

it('asks for the country of a conversation in JSON, whatever type was chosen among the fields', () => {
	const chats = { resource: 'conversation', operation: 'create', conversationType: 'chat' };
	expect(firstView({ ...chats, inputMode: 'json' }).fields).toContain('defaultCountry');
});

it('switches on what is added, and off what is on without it', () => {
	const added = everything
		.filter(({ name }) => name === 'options' || name === 'safeguards')
		.flatMap(({ options = [] }) => options)
		.filter((option) => 'type' in option && option.type === 'boolean');
	expect(added.map((option) => [option.name, 'default' in option && option.default])).toEqual(
		added.map(({ name }) => [name, name !== 'includeOtherFields']),
	);
	// A group opens with its fields.
	const groups = everything.filter(
		({ type, typeOptions }) => type === 'fixedCollection' && !typeOptions?.multipleValues,
	);
	expect(groups.length).toBeGreaterThan(3);
	for (const { name, options = [], default: value } of groups)
		expect({ [name]: Object.keys(Object(value) as object) }).toEqual({
			[name]: options.map((option) => option.name),
		});
});

it('previews calls and customers unless the user turns that off', () => {
	expect(everything.filter(({ name }) => name === 'dryRun').map((each) => each.default)).toEqual([
		true,
		true,
	]);
});

it('offers the events of the catalogue, and the filters of the search', () => {
	const menu = trigger.properties.find(({ name }) => name === 'event');
	expect(menu && valuesOf(menu)).toEqual(Object.keys(events));
	const filtersOf = (properties: readonly INodeProperties[]) =>
		properties.find(({ name }) => name === 'filters')?.options;
	expect(filtersOf(trigger.properties)).toEqual(filtersOf(description.properties));
});

it('stays small enough for the editor: at most 250 kB of JSON', () => {
	expect(JSON.stringify(description).length).toBeLessThan(250_000);
	expect(JSON.stringify(trigger).length).toBeLessThan(250_000);
});

/** Options that are on or need a value once they are added, such as safeguards without a number. */
const onWhenAdded = [
	'dryRun',
	'yesValues',
	'noValues',
	'includeOtherFields',
	'maximumPerDay',
	'hoursBetweenCalls',
	'allowPremiumRate',
	'allowUnassigned',
	'includeResponse',
	'leaveOutSource',
	'leaveOutBadCells',
	'columnsToUse',
];
const isOnWhenAdded = (path: string, value: unknown): boolean =>
	(path.startsWith('safeguards.') && typeof value !== 'number') ||
	onWhenAdded.some((name) => path.endsWith(name));

/** A setting of the panel with the default it shows, as an operation gets it. */
const shownDefaults = description.properties.flatMap((property) => {
	const { resource = [], operation = [], '@tool': asTool } = property.displayOptions?.show ?? {};
	if (asTool || property.type === 'notice') return [];
	return operation.flatMap((name) => defaultsOf(property, String(resource[0]), String(name)));
});

function defaultsOf(property: INodeProperties, resource: string, name: string) {
	const declared = operations[resource]?.[name];
	if (!declared) return [];
	const row = (path: string) => declared.parameters[path]?.perRow;
	const inner = (property.options ?? []).flatMap((option) =>
		property.type === 'collection' && 'type' in option && option.type !== 'hidden'
			? [{ path: `${property.name}.${option.name}`, value: option.default as unknown }]
			: [],
	);
	const single = { path: property.name, value: property.default as unknown };
	return (property.type === 'collection' ? inner : [single])
		.filter(({ path, value }) => !row(path) && !isOnWhenAdded(path, value))
		.map((each) => [`${resource}.${name}`, each.path, each.value, declared] as const);
}

it.each(shownDefaults)(
	'of %s, %s defaults to what its schema takes without it',
	(_, path, value, operation) => {
		// Whether a safeguard was added is all that differs.
		const parse = (settings: object) =>
			omit(Object(operation.settings.parse(settings)), 'addedSafeguards') as object;
		const [first = '', second] = path.split('.');
		// Without a column, it is undefined who may be called.
		const base = { inputMode: 'fields', doNotCallColumn: 'Do Not Call' };
		const set = second === undefined ? { [first]: value } : { [first]: { [second]: value } };
		expect(parse({ ...base, ...set })).toEqual(
			parse({ ...base, ...(second === undefined ? {} : { [first]: {} }) }),
		);
	},
);

it('tells a model all columns and all operators that the service defines', () => {
	const [reported = ''] = nodeProperties
		.filter(({ name, displayOptions }) => name === 'filtersJson' && displayOptions?.show?.['@tool'])
		.map((property) => String(property.default));
	for (const column of columnNames) expect(reported).toMatch(new RegExp(`\\b${column}\\b`));
	const defined = Object.keys(operators).filter(
		(name) => !['isBetween', 'isRelativeToToday'].includes(name),
	);
	for (const operator of defined) expect(reported).toMatch(new RegExp(`\\b${operator}\\b`));
	// Two braces would end the expression.
	expect(reported.slice(3, -3)).not.toContain('}}');
});

it('gives a model a filter by default, because it cannot fill in conditions', () => {
	const entered = { resource: 'ticket', operation: 'search' };
	// n8n knows the tool that it makes of a node by its name.
	const read = (name: string) => {
		const type = { ...description, name };
		return NodeHelpers.getNodeParameters(type.properties, entered, true, false, null, type);
	};
	const asTool = read(`${description.name}Tool`);
	expect(asTool).toMatchObject({ filterMode: 'json', output: 'simplified' });
	expect(String(asTool?.['filtersJson'])).toContain('$fromAI');
	expect(read(description.name)).toMatchObject({ filterMode: 'builder' });
});

describe('the countries of the panel', () => {
	it('are those of the library, each with its calling code', () => {
		const supported = Object.keys(metadata.countries) as CountryCode[];
		const codes = countries.map(({ value }) => String(value));
		expect(codes.toSorted()).toEqual(supported.toSorted());
		const named = countries.map(({ name }) => /\(\+(\d+)\)$/.exec(name)?.[1]);
		const names = new Map(codes.map((code, i) => [code, named[i]]));
		for (const country of supported) expect(names.get(country)).toBe(callingCodeOf(country));
	});
});

describe('the library for phone numbers', () => {
	it('is not loaded when n8n starts and reads the descriptions', () => {
		jest.isolateModules(() => {
			let loads = 0;
			jest.doMock('../../src/core/libphonenumber', () => {
				loads++;
				return { prefixOf: readNationalPrefix };
			});
			const load = (path: string): unknown => jest.requireActual(path);
			load('../../nodes/ConversationDesk/ConversationDesk.node');
			load('../../nodes/ConversationDesk/ConversationDeskTrigger.node');
			load('../../credentials/ConversationDeskApi.credentials');
			expect(loads).toBe(0);
			load('../../src/core/phoneNumber');
			expect(loads).toBe(1);
		});
	});
});
