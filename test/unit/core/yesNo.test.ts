import {
	consentOf,
	isMarkColumn,
	markColumnOf,
	readRefusal,
	readYesNo,
} from '../../../src/core/yesNo';

const MARKS = [
	// CRMs: Salesforce, HubSpot, Dynamics, Zoho, SugarCRM, vtiger, Odoo, HighLevel, Freshsales, Close, Pipedrive.
	...[
		'DoNotCall',
		'DNC__c',
		'Do_Not_Call__c',
		'hs_do_not_call',
		'properties.hs_do_not_call',
		'donotphone',
		'Do_Not_Call',
		'do_not_call',
	],
	...[
		'donotcall',
		'phone_blacklisted',
		'phone_sanitized_blacklisted',
		'dnd',
		'dndSettings',
		'do_not_disturb',
		'cf_do_not_call',
		'custom.cf_dnc',
	],
	...[
		'isDoNotDisturbEnabled',
		'is_do_not_disturb_enabled',
		'has_opted_out_of_calls',
		'HasOptedOutOfCalls',
		'phone_opt_out',
		'PhoneOptOut',
	],
	// Sheets and forms.
	...[
		'Do Not Call (Y/N)',
		'Do not call?',
		'DO NOT CALL',
		"Don't Call",
		'DNC',
		'DNC Flag',
		'dnc_flag',
		'DNC Status',
		'On DNC List',
		'is_dnc',
		'No Calls',
		'No Phone Calls',
	],
	...[
		'Do Not Contact',
		'do-not-contact',
		'Opt Out',
		'opt-out',
		'Opted Out',
		'Call Opt-Out',
		'Opted out of calls',
		'Unsubscribed',
		'Blacklisted',
		'TPS',
		'CTPS registered',
	],
	...[
		'Do Not Allow Phone Calls',
		'Do not contact by phone',
		'property_do_not_call',
		'Do Not Call/Text',
		'doNotCallFlag',
		'Contact: DNC',
		'Do Not Email or Call, opt out',
	],
	// Six more languages.
	...[
		'Nicht anrufen',
		'Bitte nicht anrufen!',
		'Anrufsperre',
		'Kontaktsperre',
		'Werbesperre',
		'Möchte nicht angerufen werden',
		'Keine Anrufe',
		'Robinsonliste',
	],
	...[
		'Ne pas appeler',
		'Bloctel',
		'Inscrit Bloctel',
		'Liste rouge',
		'Ne pas déranger',
		'NE_PAS_CONTACTER',
		"Refus d'appel",
		'Opposition démarchage téléphonique / opposition téléphonique',
	],
	...[
		'No llamar',
		'Lista Robinson',
		'No molestar',
		'no_contactar',
		'Não ligar',
		'Não perturbe',
		'nao_contactar',
		'Não Me Ligue',
	],
	...[
		'Non chiamare',
		'Registro Opposizioni',
		'Non disturbare',
		'Niet bellen',
		'Bel-me-niet',
		'Niet storen',
		'Bel-me-niet register',
	],
];

it.each(MARKS)('takes a column named %j for a mark', (name) => {
	expect(isMarkColumn(name)).toBe(true);
	expect(consentOf(name)).toBe(false);
});

it.each([
	...[
		'dnd_updated_at',
		'DNC checked by',
		'Do Not Call Reason',
		'DNC Date',
		'DNC Check Date',
		'opted_out_at',
		'Do Not Call Until',
		'opt_out_timestamp',
	],
	...[
		'HasOptedOutOfEmail',
		'HasOptedOutOfFax',
		'email_opt_out',
		'hs_email_optout',
		'hs_email_optout_12345',
		'unsubscribed_from_emails',
		'sms_opt_out',
		'dnd_sms',
	],
	...[
		'Grund der Anrufsperre',
		'Anrufsperre seit',
		'Motif Bloctel',
		'Not on DNC list',
		'donotbulkemail',
		'Do Not Email',
		'newsletter_unsubscribed',
	],
	...[
		'Phone',
		'Call',
		'Calls',
		'Casino Calls',
		'Last Call',
		'Contact',
		'Name',
		'Notes',
		'Call Disposition',
		'DNCompany',
		'Stops',
		'Robin',
		'tpsreport',
		'',
	],
])('takes a column named %j for no mark', (name) => {
	expect(isMarkColumn(name)).toBe(false);
});

it.each([
	...[
		'phone_consent',
		'Consent to Call',
		'call_consent',
		'Phone Opt-In',
		'phone_opt_in',
		'PhoneOptIn__c',
		'May we call you?',
		'OK to call',
		'Can call',
		'Allow Phone Calls',
		'Allow calls',
	],
	...[
		'Einwilligung Telefon',
		'Anruf erlaubt',
		'Consentement appel',
		"Accepte d'être appelé (appel)",
		'Acepta llamadas',
		'Aceita ligações',
		'Consenso chiamate',
		'Toestemming bellen',
		'Mag gebeld worden',
	],
])('takes a column named %j for the consent to calls', (name) => {
	expect(consentOf(name)).toBe(true);
	expect(isMarkColumn(name)).toBe(false);
});

it.each([
	...[
		'consent',
		'gdpr_consent',
		'marketing_consent',
		'accepts_marketing',
		'email_opt_in',
		'sms_consent',
		'sms_marketing_consent',
		'Call',
		'Phone',
	],
	...[
		'call_consent_date',
		'Phone Consent Timestamp',
		'Consent to call given by',
		'Total calls accepted',
		'Can call after',
		'Keine Einwilligung Telefon',
		'No consent to call',
	],
])('takes a column named %j for no consent to calls', (name) => {
	expect(consentOf(name)).toBe(false);
});

it.each([
	...[
		true,
		1,
		'true',
		'TRUE',
		' yes ',
		'Y',
		'1',
		'1.0',
		'x',
		'X',
		'✓',
		'✔',
		'☑',
		'✅',
		'on',
		'checked',
		'active',
		'Yes.',
	],
	...[
		'ja',
		'J',
		'wahr',
		'oui',
		'vrai',
		'si',
		'sí',
		'sì',
		'verdadero',
		'sim',
		'verdadeiro',
		'vero',
		'waar',
		'S',
		'O',
	],
	...[
		'Do Not Call',
		'do_not_call',
		'DNC',
		'Opted out',
		'opt-out',
		'unsubscribed',
		'Stop',
		'blocked',
		'Do Not Allow',
		'Nicht anrufen',
	],
	...[
		[true],
		['Yes'],
		[null, 'no', 'yes'],
		[{ value: 'Yes' }],
		{ value: true },
		{ value: 'true', versions: [] },
		{ name: 'Yes' },
		{ label: 'Ja' },
		{ checked: true },
	],
	...[
		{ type: 'checkbox', checkbox: true },
		{ type: 'select', select: { name: 'Yes', color: 'red' } },
		{ type: 'formula', formula: { type: 'boolean', boolean: true } },
	],
	...[
		{ Call: { status: 'active', message: '' }, Email: { status: 'inactive' } },
		{ all: { status: 'active' } },
	],
	...['ye\u200bs', '\u2066yes\u2069', 'не звонить, yes'.slice(-3)],
])('reads %j as yes', (value) => {
	expect(readYesNo(value)).toBe(true);
});

it.each([
	...[
		undefined,
		null,
		'',
		'  ',
		'\u200b',
		[],
		[null],
		false,
		0,
		'false',
		'No',
		'n',
		'0',
		'0.0',
		'-',
		'–',
		'N/A',
		'none',
		'null',
		'off',
		'unchecked',
		'☐',
	],
	...[
		'nein',
		'falsch',
		'non',
		'faux',
		'não',
		'nao',
		'nee',
		'onwaar',
		'inactive',
		'opted in',
		'Opt-In',
		'subscribed',
		'OK',
		'call',
		'allow',
	],
	...[
		[false],
		['No', null],
		{ value: false },
		{ checked: false },
		{ type: 'checkbox', checkbox: false },
		{ type: 'select', select: null },
	],
	...[{ Call: { status: 'inactive' }, Email: { status: 'active' } }, { SMS: { status: 'active' } }],
])('reads %j as no', (value) => {
	expect(readYesNo(value)).toBe(false);
});

it.each([
	...['maybe', 'unknown', '2024-01-05', 5, 2, '❌', 'ask first', 'yes, but not on Mondays'],
	...[{}, { foo: 1 }, [['no'], 'perhaps'], { id: 1 }],
])('reads %j as neither', (value) => {
	expect(readYesNo(value)).toBeUndefined();
});

it('lets what cannot be read hide no yes, and a no hide nothing that cannot be read', () => {
	expect(readYesNo(['perhaps', 'yes'])).toBe(true);
	expect(readYesNo(['no', 'perhaps'])).toBeUndefined();
});

it.each([
	['no', true],
	[false, true],
	[0, true],
	['Nein', true],
	['opted out', true],
	['withdrawn', true],
	['Do Not Allow', true],
	['yes', false],
	[true, false],
	['opted in', false],
	['', false],
	[null, false],
	[[], false],
	['verbally', undefined],
])('reads the consent %j as a refusal of calls: %j', (value, refusal) => {
	expect(readRefusal(value)).toBe(refusal);
});

it('reads an object by its value and not by the name of its field', () => {
	expect(readYesNo({ label: 'Do Not Call', value: false })).toBe(false);
	expect(readYesNo({ name: 'DNC', type: 'checkbox', checkbox: false })).toBe(false);
	expect(readYesNo({ name: 'DNC', type: 'select', select: null })).toBe(false);
	expect(readYesNo({ id: 'dnc', type: 'checkbox', text: 'v', value: '{"checked":true}' })).toBe(
		true,
	);
	expect(readYesNo({ id: 'dnc', type: 'checkbox', text: '', value: null })).toBe(false);
	expect(readYesNo({ value: null, label: 'Yes' })).toBe(true);
});

it('reads a list that stands in a cell as text', () => {
	expect(readYesNo('["Yes"]')).toBe(true);
	expect(readYesNo('[]')).toBe(false);
	expect(readYesNo('{not JSON')).toBeUndefined();
});

it('finds the first mark among the columns of a row', () => {
	expect(markColumnOf({ Name: 'Ana', DNC__c: 'x', 'Opt Out': '' })).toBe('DNC__c');
	expect(markColumnOf({ Name: 'Ana' })).toBeUndefined();
});

it('reads a name of any length at once', () => {
	expect(isMarkColumn(`${' a'.repeat(100_000)} do not call`)).toBe(false);
	expect(consentOf('call '.repeat(100_000))).toBe(false);
});
