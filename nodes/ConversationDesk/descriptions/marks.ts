import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** The names of the parameters in one operation. */
interface MarksQuestion {
	readonly displayName: 'Do Not Call' | 'Do Not Disturb';
	readonly name: 'doNotCall' | 'doNotDisturb';
	readonly show: IDisplayOptions['show'];
}

/** Asks which column marks people who must not be called. */
export const marksQuestion = ({ displayName, name, show }: MarksQuestion): INodeProperties[] => [
	{
		displayName,
		name,
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: [
			{
				name: 'Marked in a Column',
				value: 'marked',
				description: 'A column says for each person whether they must not be called',
			},
			{
				name: 'My List Is Already Checked',
				value: 'none',
				description: 'Everyone in the list may be called',
			},
		],
		default: 'marked',
		description: 'How to tell who must not be called',
	},
	{
		displayName: `${displayName} Column`,
		name: `${name}Column`,
		type: 'string',
		requiresDataPath: 'single',
		required: true,
		displayOptions: { show: { ...show, [name]: ['marked'] } },
		default: '',
		placeholder: 'e.g. Do Not Call',
		description:
			'The column with yes for people who must not be called. Without one, choose My List Is Already Checked.',
	},
];

/** Adds values that mean marked. */
export const markedValuesField: INodeProperties = {
	displayName: 'Marked Values',
	name: 'markedValues',
	type: 'string',
	default: '',
	placeholder: 'e.g. DNC, Opted out',
	description:
		'Values that mean do not call, like yes, true and x. All others then mean that calls are allowed.',
};
