import { isBlank, textOf, visible } from '../core/text';

const YES = new Set([
	...[
		'true',
		'yes',
		'y',
		'1',
		'x',
		'✓',
		'✔',
		'☑',
		'✅',
		'on',
		'wahr',
		'ja',
		'j',
		'oui',
		'o',
		'vrai',
	],
	...[
		'si',
		'sí',
		's',
		'verdadero',
		'vero',
		'sim',
		'verdadeiro',
		'waar',
		'do not call',
		'donotcall',
	],
	...[
		'dnc',
		'opt out',
		'opt-out',
		'opted out',
		'optout',
		'unsubscribed',
		'stop',
		'blocked',
		'checked',
	],
]);

const NO = new Set([
	...[
		'false',
		'no',
		'n',
		'0',
		'-',
		'–',
		'—',
		'none',
		'off',
		'falsch',
		'nein',
		'non',
		'faux',
		'falso',
	],
	...['não', 'nao', 'nee', 'onwaar', 'n/a', 'na', 'null', 'unchecked', '☐', 'opted in', 'opt in'],
	...['opt-in', 'subscribed', 'call', 'ok'],
]);

/** Whether a mark says that a person must not be called, in the words of spreadsheets; undefined where it says neither. */
export function readMark(mark: unknown): boolean | undefined {
	if (isBlank(mark)) return false;
	const word = visible(textOf(mark)).toLowerCase();
	return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** Names of columns that mark people who must not be called, without spaces and signs. */
const NAMES = new RegExp(
	`^(is|has|isthe)?(${[
		...[
			'donotcall',
			'dontcall',
			'donotphone',
			'nocall',
			'nocalls',
			'dnc',
			'donotcontact',
			'donotdisturb',
		],
		...[
			'isdonotdisturbenabled',
			'dnd',
			'nocontact',
			'optout',
			'optedout',
			'calloptout',
			'phoneoptout',
		],
		...['hasoptedoutofcall', 'hasoptedoutofcalls', 'unsubscribed', 'nichtanrufen', 'anrufsperre'],
		...['kontaktsperre', 'werbesperre', 'nepasappeler', 'nepascontacter', 'bloctel', 'nollamar'],
		...[
			'nocontactar',
			'nonchiamare',
			'noncontattare',
			'nietbellen',
			'belmeniet',
			'naoligar',
			'nãoligar',
		],
	].join('|')})(list|flag|status)?$`,
);

/** The column of a row that looks like a do-not-call mark, if there is one. */
export const markColumnOf = (row: object): string | undefined =>
	Object.keys(row).find(isMarkColumn);

/** Whether a column is named like a do-not-call mark. */
export const isMarkColumn = (name: string): boolean =>
	NAMES.test(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
