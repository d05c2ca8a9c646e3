import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

type Show = IDisplayOptions['show'];

// Without noDataExpression, because the editor lets no column be dropped on such a field.
const columnField = {
	type: 'string',
	requiresDataPath: 'single',
	required: true,
	default: '',
} as const;

const consentColumn = (show: Show): INodeProperties => ({
	...columnField,
	displayName: 'Consent Column',
	name: 'consentColumn',
	displayOptions: { show },
	placeholder: 'e.g. Contact OK',
	description: 'The column with yes for people who agreed. Drag it here, or enter its name.',
});

/** Asks who may be called. */
export const whoMayBeCalled = (show: Show): INodeProperties[] => [
	{
		displayName: 'Who May Be Called',
		name: 'whoMayBeCalled',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{
				name: 'Everyone Not Marked in a Column',
				value: 'notMarked',
				description: 'A column has yes for people who must not be called',
			},
			{
				name: 'Everyone: My List Is Already Checked',
				value: 'everyone',
				description: 'No column is read',
			},
			{
				name: 'Only People Allowed in a Column',
				value: 'allowed',
				description: 'A column has yes for people who agreed to be called',
			},
		],
		default: 'notMarked',
		description: 'Which people of the list may be called',
	},
	{
		...columnField,
		displayName: 'Do Not Call Column',
		name: 'doNotCallColumn',
		displayOptions: { show: { ...show, whoMayBeCalled: ['notMarked'] } },
		placeholder: 'e.g. Do Not Call',
		description:
			'The column with yes for people who must not be called. Drag it here, or enter its name.',
	},
	consentColumn({ ...show, whoMayBeCalled: ['allowed'] }),
];

/** Asks which customers must not be called. */
export const doNotDisturb = (show: Show): INodeProperties[] => [
	{
		displayName: 'Do Not Disturb',
		name: 'doNotDisturb',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{
				name: 'Allowed in a Column',
				value: 'allowed',
				description: 'A column has yes for people who agreed. All others get the mark.',
			},
			{
				name: 'Marked in a Column',
				value: 'marked',
				description: 'A column has yes for people who must not be called',
			},
			{ name: 'No Column: Send No Marks', value: 'none', description: 'Marks in the service stay' },
		],
		default: 'marked',
		description: 'How to tell which customers must not be called',
	},
	{
		...columnField,
		displayName: 'Do Not Disturb Column',
		name: 'doNotDisturbColumn',
		displayOptions: { show: { ...show, doNotDisturb: ['marked'] } },
		placeholder: 'e.g. Do Not Call',
		description:
			'The column with yes for people who must not be called. Drag it here, or enter its name.',
	},
	consentColumn({ ...show, doNotDisturb: ['allowed'] }),
];

/** Explains values of the column that are neither yes nor no. */
export const explainedValues: INodeProperties[] = [
	{
		displayName: 'Values That Mean No',
		name: 'noValues',
		type: 'string',
		default: '',
		placeholder: 'e.g. nein, open',
		description: 'Values of the column that mean no, like no, false and 0. Capitals do not matter.',
	},
	{
		displayName: 'Values That Mean Yes',
		name: 'yesValues',
		type: 'string',
		default: '',
		placeholder: 'e.g. ja, agreed',
		description:
			'Values of the column that mean yes, like yes, true and x. Capitals do not matter.',
	},
];
