import {
	consentOf,
	forbidsInside,
	forbidsWithin,
	isMarkColumn,
	isNoAnswer,
	isPermission,
	isMarkDate,
	isRefusedIn,
	isUnclearMark,
	mayForbidCalls,
	mayAskForCalls,
	readDay,
	readMarkIn,
	readRefusal,
	readYesNo,
	saysNoCalls,
	saysNoCallsIn,
	saysYesOrNo,
	statusSaysNoCalls,
} from '../../../src/core/yesNo';
import { listed } from '../../support/listed';

const MARKS = listed(`
	DoNotCall | DNC__c | Do_Not_Call__c | hs_do_not_call | properties.hs_do_not_call | donotphone |
	Do_Not_Call | do_not_call | donotcall | phone_blacklisted | phone_sanitized_blacklisted | dnd |
	dndSettings | do_not_disturb | cf_do_not_call | custom.cf_dnc | isDoNotDisturbEnabled |
	is_do_not_disturb_enabled | has_opted_out_of_calls | HasOptedOutOfCalls | phone_opt_out |
	PhoneOptOut | Do Not Call (Y/N) | <b>Do not call</b> |
	Do Not Call <input name="x" type="text"> | Do not call? | DO NOT CALL | Don't Call | Don't contact | DNC |
	DNC Flag | dnc_flag | DNC Status | On DNC List | is_dnc | No Calls | No Phone Calls |
	Do Not Contact | do-not-contact | Opt Out | opt-out | Opted Out | Call Opt-Out |
	Opted out of calls | Unsubscribed | Blacklisted | TPS | CTPS registered | telephone_preference_service |
	Do Not Allow Phone Calls | Do not contact by phone | property_do_not_call | Do Not Call/Text |
	doNotCallFlag | Contact: DNC | Do Not Email or Call, opt out | Nicht anrufen |
	Bitte nicht anrufen! | Anrufsperre | Kontaktsperre | Werbesperre |
	Möchte nicht angerufen werden | Keine Anrufe | Robinsonliste | Ne pas appeler | Bloctel |
	Inscrit Bloctel | Liste rouge | Ne pas déranger | NE_PAS_CONTACTER | Refus d'appel |
	Opposition démarchage téléphonique / opposition téléphonique | No llamar | Lista Robinson |
	No molestar | no_contactar | Não ligar | Não perturbe | nao_contactar | Não Me Ligue |
	Non chiamare | Registro Opposizioni | Non disturbare | Niet bellen | Bel-me-niet | Niet storen |
	Bel-me-niet register | Ｄｏ Ｎｏｔ Ｃａｌｌ | ＤＮＣ | Not Contactable | DNC scrub result |
	Calls not allowed | No consent to call | Call consent revoked | Does not want calls |
	Withdrew consent to calls | Missing call consent | Lacks consent to call | Opt out of calls | Opted out of phone calls | cannot_call | May not be called | phone_suppressed | BlockPhone | Refuses calls |
	Anrufe nicht erlaubt | Ne veut pas être appelé | N'accepte pas les appels | No acepta llamadas |
	Não aceita ligações | Non vuole essere chiamato | Geen toestemming bellen |
	Brak zgody na telefon |
	Telefonanrufe nicht zulassen | Ne pas autoriser les appels téléphoniques | No permitir llamadas de teléfono |
	Telefoongesprekken niet toestaan | Não permitir telefonemas | Non consentire telefonate | Tillåt inte telefonsamtal |
	Não Me Perturbe | do_not_dial | dont_dial | DND On/Off | Phone No DNC | Not interested / DNC | Opt out / Disabled | Do Not Call (No = ok) | Do not call (ok = no) | Nicht mehr anrufen | No contact, DNC |
	Do not ring or text | DNC (calls and SMS) | user_do_not_call | Cell Number - Do Not Call | Do Not Call This Number | Total opt-out |
	D.N.C. | d.n.c | D N C | D. N. C. | d.nc | D.N.D. | Customer D.N.C. flag | No outreach | No solicitation |
	Consent withdrawn | Consent withdrawn (Y/N) | isConsentRevoked | GDPR consent withdrawn | Withdrawal of consent |
	Werbeeinwilligung widerrufen | Retrait du consentement |
	Excluded from calls | Exclude from calling | Call exclusion | Can't call | No marketing calls | No more calls | Remove from call list | Telefonkontakt unerwünscht
`);

it.each(MARKS)('takes a column named %j for a mark', (name) => {
	expect(isMarkColumn(name)).toBe(true);
	expect(consentOf(name)).toBe(false);
});

it.each([
	...listed(`
	dnd_updated_at | DNC checked by | DNC scrub date | Last DNC scrub | Do Not Call Reason | DNC Date | DNC Check Date |
	opted_out_at | Do Not Call Until | opt_out_timestamp | HasOptedOutOfEmail | HasOptedOutOfFax |
	email_opt_out | hs_email_optout | hs_email_optout_12345 | unsubscribed_from_emails |
	sms_opt_out | dnd_sms | npsUnsubscribed | № Phone | Nº Phone | Grund der Anrufsperre | Anrufsperre seit | Motif Bloctel |
	Opt out of DNC | Opted out of the DNC list | DNC revoked | DND released | DNC Override | DNC waiver | DNC Waived |
	DNC Vendor | DNC Added | DNC checked | DNC cleared | Do Not Call lifted | Screened against TPS |
	SMS DNC | DNC SMS | Text DNC | Email DNC | DNC Email | DNC Mail | sms_is_dnc |
	Not on DNC list | No. Phone | Sr No Phone | S.No, Phone Number | No. Telefon | Teléfono contacto | Telefono chiamate | donotbulkemail |
	SMS consent withdrawn | Email consent revoked | Consent withdrawn reason | consent_revoked_at |
	Do Not Email | newsletter_unsubscribed | Phone | Call | Calls | Casino Calls | Last Call |
	Contact | Name | Notes | Call Disposition | DNCompany | Stops | Robin | tpsreport
`),
	'',
])('takes a column named %j for no mark', (name) => {
	expect(isMarkColumn(name)).toBe(false);
});

it.each(
	listed(`
	phone_consent | Consent to Call | call_consent | Phone Opt-In | phone_opt_in | PhoneOptIn__c |
	Contact? | Contact (Y/N) | Call? | May we call you? | May we contact you? | Contact Permission | OK to contact | OK to call | Can call | Allow Phone Calls | Allow calls |
	Einwilligung Telefon | Anruf erlaubt | Consentement appel | Accepte d'être appelé (appel) |
	Acepta llamadas | Aceita ligações | Consenso chiamate | Toestemming bellen | Mag gebeld worden |
	Acceptez-vous d’être appelé(e) ? | Souhaitez-vous être appelé ? | Voulez-vous recevoir des appels ? | Autorisez-vous les appels ? |
	Möchten Sie angerufen werden? | Wünschen Sie Anrufe? | Erlauben Sie Anrufe? | ¿Aceptas llamadas? | ¿Quieres que te llamemos? |
	¿Deseas recibir llamadas? | Autorizas llamadas | Vuoi essere chiamato? | Accetti chiamate? | Acconsenti alle chiamate? | Autorizzi le chiamate |
	Mogen we u bellen? | Wilt u gebeld worden? | Would you like us to call you? | Are you happy for us to phone you? | Can we contact you by telephone? |
	DNC clean | TPS clear | tps_clear_flag | DND off | Nicht auf Robinsonliste | Not on DNC | is_not_dnc | No DNC | DNC-free (Y/N) | Bloctel OK |
	Non iscritto al registro opposizioni | Non iscritto al registro delle opposizioni | Fuori dal registro opposizioni | Fuera de Lista Robinson |
	Excluido de Lista Robinson | Fora do Não Me Perturbe | Vrij van bel-me-niet | Robinsonliste negativ | TPS unregistered | Unlisted on TPS | Out of DNC | Excluded from TPS |
	Keine Werbesperre | Keine Anrufsperre | Hors liste rouge | Pas inscrit à Bloctel | Has not opted out of calls | Calls not blocked |
	Robinsonliste nicht eingetragen | Passed DNC check | Frei von Werbesperre | No DNC record found | Has no DNC | No longer opted out | Telefonanrufe zulassen |
	TelefonanrufeÂ zulÃ¤ssig | Werbung per Telefon | Telefonwerbung | Phone Marketing | marketing_by_phone | phone_ok | is_callable | contact_by_phone | consenttocall | Contactable
`),
)('takes a column named %j for the consent to calls', (name) => {
	expect(consentOf(name)).toBe(true);
	expect(isMarkColumn(name)).toBe(false);
});

it.each(
	listed(`
	consent | gdpr_consent | marketing_consent | Call allowed from | Allowed call hours |
	accepts_marketing | email_opt_in | sms_consent | sms_marketing_consent | Call | Phone |
	Can contact by email | Contact | Contact owner | Contact permission date | call_consent_date | Phone Consent Timestamp | Consent to call given by | Total calls accepted |
	Can call after | Would you like a demo call? | Would you like a call? | Keine Einwilligung Telefon | No consent to call | Consent to record calls
`),
)('takes a column named %j for no consent to calls', (name) => {
	expect(consentOf(name)).toBe(false);
});

it.each([
	...listed(`
	true | TRUE | Y | 1 | 1.0 | x | X | ✓ | ✔ | ☑ | ✅ | on | checked | active | Yes. | ja | J |
	wahr | oui | vrai | si | sí | sì | verdadero | sim | verdadeiro | vero | waar | S | O |
	Do Not Call | do_not_call | DNC | Opted out | opt-out | unsubscribed | Stop | blocked |
	Nicht zulassen | Ne pas autoriser | Hit | Match | Found | Listed | Do Not Allow | Nicht anrufen | ｙｅｓ | ＴＲＵＥ | да | "yes" | yes, since May | requested |
	yes, but not on Mondays | Registered | On list | On the list | Not callable | Uncallable | Unsafe | Present | Positive | Eingetragen
`),
	true,
	1,
	' yes ',
	[true],
	['Yes'],
	[null, 'no', 'yes'],
	[{ value: 'Yes' }],
	{ value: true },
	{ value: 'true', versions: [] },
	{ name: 'Yes' },
	{ label: 'Ja' },
	{ checked: true },
	{ type: 'checkbox', checkbox: true },
	{ type: 'select', select: { name: 'Yes', color: 'red' } },
	{ type: 'formula', formula: { type: 'boolean', boolean: true } },
	{ Call: { status: 'active', message: '' }, Email: { status: 'inactive' } },
	{ all: { status: 'active' } },
	'ye\u200bs',
	'\u2066yes\u2069',
	'не звонить, yes'.slice(-3),
])('reads %j as yes', (value) => {
	expect(readYesNo(value)).toBe(true);
});

it.each([
	...listed(`
	false | No | n | 0 | 0.0 | - | – | N/A | none | null | off | unchecked | ☐ | nein | falsch |
	non | faux | não | nao | nee | onwaar | inactive | opted in | Opt-In | subscribed | OK | call |
	No hit | Clean | Zulassen | Passed | Not listed | Not found | Not on DNC | Not on list | Not registered | Not on the list | Safe |
	Nicht eingetragen | Unregistered |
	allow
`),
	undefined,
	null,
	'',
	'  ',
	'\u200b',
	[],
	[null],
	false,
	0,
	[false],
	['No', null],
	{ value: false },
	{ checked: false },
	{ type: 'checkbox', checkbox: false },
	{ type: 'select', select: null },
	{ Call: { status: 'inactive' }, Email: { status: 'active' } },
	{ SMS: { status: 'active' } },
])('reads %j as no', (value) => {
	expect(readYesNo(value)).toBe(false);
});

it.each([
	...listed(`
	maybe | unknown | 2024-01-05 | ❌ | ask first
`),
	5,
	2,
	{},
	{ foo: 1 },
	[['no'], 'perhaps'],
	{ id: 1 },
])('reads %j as neither', (value) => {
	expect(readYesNo(value)).toBeUndefined();
});

it.each(['Federal DNC', 'Wireless DNC', 'Added to DNC', 'y - national DNC', 'Yes - by mail'])(
	'reads %j in a mark as yes',
	(value) => {
		expect(readMarkIn('DNC', value)).toBe(true);
	},
);

it.each(['Not on DNC', 'Federal DNC: clear', 'No - not on DNC', 'maybe'])(
	'does not read %j in a mark as yes',
	(value) => {
		expect(readMarkIn('DNC', value)).not.toBe(true);
	},
);

it('lets what cannot be read hide no yes, and a no hide nothing that cannot be read', () => {
	expect(readYesNo(['perhaps', 'yes'])).toBe(true);
	expect(readYesNo(['no', 'perhaps'])).toBeUndefined();
});

it.each<[unknown, boolean | undefined]>([
	...listed(`
	No, thanks | Never | Not given | I do not agree | Disagree | Expired | Opted out (web) |
	Nein, danke | Non merci | No - email only
	`).map((answer): [unknown, boolean] => [answer, true]),
	['no', true],
	[false, true],
	[0, true],
	['Nein', true],
	['opted out', true],
	['Email', true],
	[['sms', 'email'], true],
	['Phone, email', false],
	['withdrawn', true],
	['Hit', true],
	['Failed', true],
	['Not registered', true],
	['Not found', true],
	['Registered', false],
	['Do Not Allow', true],
	['yes', false],
	[true, false],
	['opted in', false],
	['', false],
	[null, false],
	[[], false],
	['2026-01-31', false],
	['31.01.2026', false],
	['+1 (415) 555-0178', false],
	...['verbally', 'No problem', 'No objection', 'Yes, but only on Mondays', 'perhaps'].map(
		(answer): [unknown, undefined] => [answer, undefined],
	),
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

it('reads a name of any length at once', () => {
	expect(isMarkColumn(`${' a'.repeat(100_000)} do not call`)).toBe(false);
	expect(consentOf('call '.repeat(100_000))).toBe(false);
});

it.each(
	listed(`
	Phone No. | No of calls | Calls not answered | Not called yet | Never called | Stop Phone |
	Phone not verified | call_accepted | Telefonisch nicht erreicht | WhatsApp opt-out | dnc_user |
	opt_out_user_id | Do Not Call Reason Code | Unsubscribed_Mode | listUnsubscribed |
	Wants a call back | call_recording_consent | call_opt_in_ip | Phone consent text
`),
)('takes a column named %j for neither a mark nor a consent', (name) => {
	expect(isMarkColumn(name)).toBe(false);
	expect(consentOf(name)).toBe(false);
});

it('reads a list of channels by those for calls', () => {
	expect(readYesNo(['call', 'sms'])).toBe(true);
	expect(readYesNo(['email', 'sms'])).toBe(false);
	expect(readRefusal({ email: true, sms: true, phone: false })).toBe(true);
	expect(readYesNo([{ channel: 'email', value: true }])).toBe(false);
	expect(readYesNo([{ channel: 'voice', value: true }])).toBe(true);
	expect(readYesNo([{ type: 'text', value: 'Yes' }])).toBe(true);
});

it.each(
	listed(`
	Do Not Call | DNC | DoNotCall | DNC list | Do not call again | Please do not call |
	Silva (DO NOT CALL) | Silva - DNC | D.N.C. | Silva (d.n.c.) | Remove from call list | Nicht anrufen | Ne pas appeler | No llamar | Não ligar |
	Non chiamare | Niet bellen | Nie dzwonić | Blacklisted | Blacklist | *DNC* Silva | Silva **DO NOT CALL** | Pls do not call
`),
)('a cell that says %j forbids calls, whatever its column is called', (cell) => {
	expect(saysNoCalls(cell)).toBe(true);
	expect(saysNoCalls(['VIP', cell])).toBe(true);
	expect(saysNoCalls({ id: 7, name: cell })).toBe(true);
	expect(saysNoCalls({ name: cell, answer: null })).toBe(false);
	expect(statusSaysNoCalls({ name: cell })).toBe(true);
});

it.each(
	listed(`
	Called about it | No call yet | Not called | Do not call before 9 | No answer | Call back |
	None | Not blacklisted | Blacklisted IP | DNC cleared | Not on DNC |
	They asked how to get on the list of people whom no one may call: do not call
`),
)('a cell that says %j forbids nothing', (cell) => {
	expect(saysNoCalls(cell)).toBe(false);
	expect(statusSaysNoCalls(cell)).toBe(false);
});

it('a status with a mark of all channels forbids calls where it names them', () => {
	expect(statusSaysNoCalls('Opted out of calls')).toBe(true);
	expect(statusSaysNoCalls('Opted out of emails')).toBe(false);
});

it.each([
	['Channels', 'email;sms'],
	['Channels', ['Email', 'SMS']],
	['channels', '["email","sms"]'],
	['Contact channels', 'E-mail & WhatsApp'],
	['Allowed contact methods', 'email, SMS and post'],
	['Communication Preferences', 'Email'],
	['contact_preferences', 'Do Not Call'],
	['How can we reach you?', 'Email'],
	['contact_by', 'Only SMS'],
	['May we call you?', 'Only by email'],
	['Darf ich Sie anrufen?', 'Nur per E-Mail, bitte'],
	['Phone consent', "I'd rather not"],
	['Phone consent', "Please don't"],
	['Phone consent', 'Auf keinen Fall'],
	['Phone consent', 'Under no circumstances'],
	['Phone consent', '❌'],
	['Contact?', 'No'],
	['Contact Permission', 'None'],
	['Contact Permission', 'Denied'],
	['Contact Permission', 'Refused'],
	['Contact Permission', 'Withdrawn'],
	['Status', 'Blacklisted'],
	['DNC check', 'Match'],
	['TPS check', 'Registered'],
	['DNC Scrub', 'Fail'],
	['DNC lookup', { value: 'Found' }],
	['DNC Type', 'on list'],
])('the column %j forbids calls where it says %j', (name, cell) => {
	expect(isMarkColumn(name)).toBe(false);
	expect(isRefusedIn(name, cell)).toBe(true);
});

it.each([
	['Channels', ''],
	['Channels', []],
	['Channels', 'web'],
	['Channels', 'email;phone'],
	['Channels', 'email, then ask'],
	['Channels', 'all, by email'],
	['contact_by', 'Email or mobile'],
	['Phone consent', 'Please do'],
	['Phone consent', 'Yes, email first'],
	['Channels', [{ channel: 'email', value: true }]],
	['Sales channel', 'web'],
	['Sales channels', 'email'],
	['Preferred channel', 'Email'],
	['Channel', 'email'],
	['Contact', 'Jane'],
	['Contact', 'None'],
	['Contact?', ''],
	['Contact?', 'Yes'],
	['Last contact', 'No'],
	['Last contact?', 'No'],
	['Contact Permission', ''],
	['Status', 'Active'],
	['DNC check', 'Not found'],
	['DNC check', 'yes'],
	['DNC check', 'Match.com'],
	['DNC check', ''],
	['Email DNC check', 'Match'],
	['Phone check', 'Match'],
])('the column %j forbids no calls where it says %j', (name, cell) => {
	expect(isMarkColumn(name)).toBe(false);
	expect(isRefusedIn(name, cell)).toBe(false);
});

it('asks about columns whose yes or no may concern calls, and not about a number itself', () => {
	expect(['Call center', 'phone_status', 'DNC checked'].filter(mayAskForCalls)).toHaveLength(3);
	expect(['Has phone', 'phone_verified', 'City'].filter(mayAskForCalls)).toEqual([]);
});

it.each([
	'I agree to receive calls and texts from Acme at the number provided. Consent is not a condition of purchase.',
	'Phone consent (opt out anytime)',
	'I consent to calls, reply STOP to opt out',
	'phone_consent_not_required',
])('an explanation does not turn a consent round: %s', (name) => {
	expect(isMarkColumn(name)).toBe(false);
});

it.each(
	listed(`
	DNC Date | DNC Added | DNC Added On | dnc_added_at | Date Added to DNC | Date added to DNC List | Do Not Call Date | opted_out_at |
	opt_out_timestamp | Do Not Call Since | Anrufsperre seit | Anrufsperre gesetzt am | DND set at | Opted out of calls on | consent_revoked_at | Call consent withdrawn on | Einwilligung widerrufen am | DNC Request Date | Customer DNC Date
`),
)('takes a column named %j for the date of a mark', (name) => {
	expect(isMarkDate(name)).toBe(true);
});

it.each(
	listed(`
	DNC Wash Date | DNC Search Date | DNC Run Date | DNC Status Date | TPS Date | CTPS Date | Bloctel Date | Robinson-Abgleich am | Robinsonliste Datum | RPO Date |
	DNC Release Date | DNC Reset Date | Anrufsperre aufgehoben am | Anrufsperre entfernt am | DNC Check Date | DNC List Date | DNC Expiry Date |
	dnd_updated_at | unsubscribed_at | Date | Phone Date | Not on DNC since | SMS DNC Date
`),
)('takes a column named %j for no date of a mark', (name) => {
	expect(isMarkDate(name)).toBe(false);
});

it.each<[unknown, boolean | undefined]>([
	['2025-01-01', true],
	[45_678, true],
	[{ start: '2025-01-01', end: null }, true],
	[{ type: 'date', date: { start: '2025-01-01', end: null } }, true],
	[{ type: 'date', date: null }, false],
	...['0000-00-00', '0000-00-00 00:00:00', '1/0/1900', '01/00/1900', '00.00.0000', ''].map(
		(day): [unknown, boolean] => [day, false],
	),
	['pending', undefined],
])('reads the date of a mark %j as %j', (day, read) => {
	expect(readDay(day)).toBe(read);
});

it('knows permissions that name no channel, whatever number stands beside them', () => {
	const permissions = ['Opt-in', 'gdpr_consent', 'Consent (2024)', 'Einwilligung erteilt'];
	expect(permissions.filter(isPermission)).toEqual(permissions);
	expect(['Do Not Call', 'SMS opt-in', 'Name'].filter(isPermission)).toEqual([]);
});

const nested = (depth: number, inner: unknown): unknown =>
	depth === 0 ? inner : { value: nested(depth - 1, inner) };

it.each<[boolean | undefined, unknown]>([
	[false, '""no!."'],
	[true, nested(5, 'yes')],
	[undefined, nested(6, 'yes')],
	[false, ['call', 'no']],
	[true, 'email and calls'],
	[false, 'email & sms'],
])('reads %s from %j in a mark', (said, cell) => {
	expect(readYesNo(cell)).toBe(said);
});

it.each<[boolean | undefined, unknown]>([
	...['45321.75', 'May 2025', 'stop'].map((day): [boolean, unknown] => [true, day]),
	[false, '1900-01-00'],
	...['x45321', '453211', '45321.5x', 'May 25', '20x5', '205x', {}].map(
		(text): [undefined, unknown] => [undefined, text],
	),
])('reads %s from %j in the date of a mark', (said, cell) => {
	expect(readDay(cell)).toBe(said);
});

it('looks for marks in cells of up to 60 characters, and among choices', () => {
	expect(saysNoCalls(`${'x'.repeat(54)} - DNC`)).toBe(true);
	expect(saysNoCalls(`${'x'.repeat(55)} - DNC`)).toBe(false);
	expect(saysNoCalls({ type: 'select', select: { name: 'DNC', color: 'red' } })).toBe(true);
	expect(saysNoCalls({ name: 'DNC', color: 'red', order: 1 })).toBe(true);
	expect(saysNoCalls({ name: 'DNC', order: 1 })).toBe(false);
});

it.each([
	[true, 'How can we reach you', 'Email'],
	[true, 'How may we contact you', 'Email'],
	[true, 'Allowed channels', 'email'],
	[false, 'Ask how can we reach you', 'Email'],
	[false, 'Old contact channels', 'email'],
	[false, 'Channels used', 'email;sms'],
	[false, 'Channels', 'email;all'],
	[false, 'DNC check vendor', 'Found'],
	[true, 'Name', 'DNC Ana Silva'],
	[true, 'Phone 2', '415 555 0178 do not call'],
	[false, 'Company Name', 'DNC Parks'],
	[false, 'Last Name', 'Dncova'],
	[true, 'Phone Calls', 'Opt-out'],
	[false, 'Email', 'Unsubscribed'],
	[false, 'Call Result', 'No contact'],
	[true, 'Lead Status', 'No contact'],
	[false, 'Home Phone', 'No phone number'],
	[true, 'Home Phone', 'No calls'],
])('says %s of calls that are unwanted by %j: %j', (said, name, cell) => {
	expect(saysNoCallsIn(name, cell)).toBe(said);
});

it.each<[boolean, string[], string, string]>([
	[true, ['consent', 'call'], 'answer', 'no'],
	[true, ['consent', 'call'], 'response', 'no'],
	[true, ['consent'], 'do_not_call', 'yes'],
	[false, ['consent'], 'do_not_call', 'no'],
	[true, ['preferences'], 'phone', 'no'],
	[false, ['preferences'], 'phone', '--'],
	[false, ['preferences'], 'phone', 'NA'],
	[false, [], 'phone', 'no'],
	[true, ['no'], 'calls', 'yes'],
])('says %s of calls that are forbidden within %j by %s: %j', (said, around, name, cell) => {
	expect(forbidsWithin(around, name, cell)).toBe(said);
});

it('looks for marks inside of a cell, five levels deep', () => {
	const at = (depth: number): unknown => (depth === 0 ? { dnc: true } : { more: at(depth - 1) });
	expect([3, 4, 5].map((depth) => forbidsInside(at(depth)))).toEqual([true, true, false]);
	expect(forbidsInside({ consent_to_calls: 'yes' })).toBe(false);
	expect(forbidsInside({ consent_to_calls: 'no' })).toBe(true);
});

it.each<[string, readonly unknown[], boolean]>([
	['Suppressed', ['no', ''], false],
	['Suppressed', ['no', 'maybe'], true],
	['Consent', ['yes', 'no'], true],
	['Consent', ['yes', '-', ''], false],
	['Calls', ['off'], true],
	['Emails', ['off'], false],
	['Last call', ['no'], false],
	['City', ['no'], false],
])('a column %s that is not read may forbid calls by %j: %j', (name, cells, may) => {
	expect(mayForbidCalls(name, () => cells)).toBe(may);
});

it.each<[unknown, boolean]>([
	['', true],
	['-', true],
	['n/a', true],
	[[], true],
	['--n/a--', true],
	['no', false],
	['- no', false],
	[{ a: 1 }, false],
])('a cell %j is no answer: %j', (cell, isNone) => {
	expect(isNoAnswer(cell)).toBe(isNone);
});

it('tells names that are more than a mark from those that are one, and from others', () => {
	const unclear = [
		'DNC Until',
		'Suppression list',
		'Blocked',
		'Consent expired',
		'Right to object',
		'Anrufsperre bis',
		'Gesperrt seit',
		'Opposition le',
	];
	expect(unclear.filter(isUnclearMark)).toEqual(unclear);
	for (const name of ['DNC', 'DNC Date', 'Not on DNC list', 'Name'])
		expect([name, isUnclearMark(name)]).toEqual([name, false]);
});

it.each<[string, boolean | undefined]>([
	...['Inscrit', 'Iscritto', 'Inscrito', 'Ingeschreven', 'Registriert'].map(
		(each): [string, boolean] => [each, true],
	),
	...['Non inscrit', 'Pas inscrit', 'Non iscritto', 'Não inscrito', 'Niet ingeschreven'].map(
		(each): [string, boolean] => [each, false],
	),
	['☒', true],
	['⬜', false],
	['✗', undefined],
])('reads what a register says of someone, or a box: %j', (cell, said) => {
	expect(readMarkIn('TPS', cell)).toBe(said);
	expect(isNoAnswer(cell)).toBe(false);
});

it.each(
	listed(`
	Appels autorisés | Appel accepté | Llamadas permitidas | Llamadas autorizadas | Chamadas e ligações autorizadas | Ligação permitida |
	Chiamate consentite | Chiamata autorizzata | Si può chiamare
	`),
)('takes a no in %j for a mark', (name) => {
	expect([isRefusedIn(name, 'no'), isRefusedIn(name, 'ok')]).toEqual([true, false]);
});

it('takes for an answer what says yes or no throughout', () => {
	expect(saysYesOrNo(['yes', 'no'])).toBe(true);
	for (const cell of [[], '', ['yes', 'perhaps']]) expect(saysYesOrNo(cell)).toBe(false);
});
