import { parsedOrSame } from './json';
import { isBlank, textOf, visible } from './text';

// The words for yes and no, and the names of columns that mark people who must not be called: once, for customers and for calls.

/** Words that say yes or no wherever they stand, without accents. */
const YES = `true yes y t 1 1.0 x ✓ ✔ ☑ ✅ on checked active enabled set
	wahr ja j ein aktiv aktiviert oui o vrai v actif active coche si s verdadero activo sim verdadeiro ativo vero attivo waar actief aan tak prawda wlaczone`;
const NO = `false no n f 0 0.0 off unchecked inactive disabled unset - – — ☐ n/a na #n/a none null undefined
	falsch nein aus inaktiv deaktiviert keine non faux inactif falso inactivo nao inativo inattivo nee onwaar inactief uit nie falsz`;

/** Words that say by themselves that someone must not be called, or may be, whatever the column asks. */
const STOP = `do not call, do not contact, do not phone, do not disturb, do not allow, not allowed, no calls, dnc, dnd, opt out, opted out, optout,
	unsubscribed, stop, blocked, blacklisted, withdrawn, revoked, denied, declined, rejected, unsubscribe,
	nicht anrufen, nicht erlaubt, widerrufen, gesperrt, ne pas appeler, no llamar, rechazado, revocado, nao ligar, bloqueado,
	non chiamare, negato, niet bellen, geweigerd, ingetrokken`;
const GO = `opted in, opt in, optin, subscribed, call, ok, okay, ok to call, can call, may call, callable, allow, allowed, granted,
	erlaubt, anrufen erlaubt, autorise, permitido, consentito, toegestaan`;

const plain = (text: string): string =>
	visible(text.slice(0, 200))
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/\s+/g, ' ');
const wordOf = (text: string): string =>
	plain(text)
		.replace(/[.!]+$/, '')
		.replace(/(?<=\p{L})[-_](?=\p{L})/gu, ' ');
const setOf = (text: string, between: RegExp): ReadonlySet<string> =>
	new Set(text.trim().split(between));
const [yes, no] = [setOf(YES, /\s+/), setOf(NO, /\s+/)];
const stop = new Set([...setOf(STOP, /,\s+/), 'refused', 'refuse']);
const go = setOf(GO, /,\s+/);

/** Members that contain the value of an object, as Airtable, Notion, HubSpot and others write it; the first that is filled counts. */
const MEMBERS = ['value', 'checked', 'checkbox', 'boolean', 'selected', 'enabled', 'status']
	.concat(['displayValue', 'display_value', 'text', 'plain_text', 'name', 'label', 'title'])
	.concat(['array', 'string', 'number', 'option']);
/** Settings per channel, as HighLevel has them: those for calls or for everything count. */
const CHANNELS = /^(all|calls?|voice|phone|e?mail|sms|whatsapp|gmb|fb|messages?)$/i;
const FOR_CALLS = /^(all|calls?|voice|phone)$/i;
const MAX_DEPTH = 5;

type Word = 'yes' | 'no' | 'stop' | 'go';

/** What a cell says; undefined where it says nothing that is known. */
const sayingOf = (cell: unknown): readonly (Word | undefined)[] =>
	textsIn(cell).map((text) => (text === undefined ? undefined : word(text)));

/** The texts of a cell that may say yes or no; undefined for an object that has none. */
function textsIn(cell: unknown, depth = 0): readonly (string | undefined)[] {
	if (isBlank(cell)) return [];
	const value = typeof cell === 'string' && /^\s*[{[]/.test(cell) ? parsedOrSame(cell) : cell;
	if (typeof value !== 'object' || value === null) return [textOf(value)];
	if (depth >= MAX_DEPTH) return [undefined];
	const members = Array.isArray(value) ? value : membersOf(value);
	return members?.flatMap((each: unknown) => textsIn(each, depth + 1)) ?? [undefined];
}

/** The members of an object that say yes or no; undefined where there are none that are known. */
function membersOf(value: object): readonly unknown[] | undefined {
	const keys = Object.keys(value);
	const get = (key: string): unknown => Reflect.get(value, key);
	if (keys.length === 0) return undefined;
	if (keys.every((key) => CHANNELS.test(key)))
		return keys.filter((key) => FOR_CALLS.test(key)).map(get);
	const type = Object.hasOwn(value, 'type') ? get('type') : undefined;
	// A property of Notion says in its type which member it is.
	if (typeof type === 'string' && Object.hasOwn(value, type)) return [get(type)];
	const own = MEMBERS.filter((key) => Object.hasOwn(value, key));
	return own.length > 0 ? [get(own.find((key) => !isBlank(get(key))) ?? '')] : undefined;
}

function word(text: string): Word | undefined {
	const said = wordOf(text);
	if (stop.has(said)) return 'stop';
	if (go.has(said)) return 'go';
	return yes.has(said) ? 'yes' : no.has(said) ? 'no' : undefined;
}

/** Any yes wins; then what cannot be read, which a no must not hide. */
function read(value: unknown, yesWords: readonly Word[]): boolean | undefined {
	const said = sayingOf(value);
	if (said.some((each) => each !== undefined && yesWords.includes(each))) return true;
	return said.includes(undefined) ? undefined : false;
}

/** Whether a mark says yes, in the words of seven languages: false where it is empty, undefined where it says neither. */
export const readYesNo = (value: unknown): boolean | undefined => read(value, ['yes', 'stop']);

/** Whether the cell of a consent to calls says that someone must not be called; an empty one does not. */
export const readRefusal = (value: unknown): boolean | undefined => read(value, ['no', 'stop']);

/** Marks that concern calls, as words: enough of them may stand anywhere in a name, the short ones only as words. */
const CALL_MARKS = `do not call, dont call, don t call, do not phone, dont phone, do not telephone, not to be called, never call, no call, no calls, no phone,
	no phone calls, no telemarketing, do not allow phone calls, do not allow calls, dnc, dncr, tps, ctps, call blocked, calls blocked, block calls, phone blacklisted, phone sanitized blacklisted,
	call suppression, phone suppression, suppress calls, do not ring,
	nicht anrufen, nicht angerufen, anrufsperre, telefonsperre, keine anrufe, kein anruf, kein telefon, kein telefonkontakt, nicht telefonisch, telefonverbot,
	ne pas appeler, ne pas telephoner, ne pas etre appele, bloctel, liste rouge, pas d appel, pas d appels, opposition appel, opposition appels, opposition telephone, opposition telephonique, refus appel, refus d appel, opposition au demarchage,
	no llamar, no telefonear, sin llamadas, no desea llamadas, excluir llamadas,
	nao ligar, nao telefonar, nao me ligue, sem ligacoes, nao receber ligacoes,
	non chiamare, non telefonare, registro opposizioni, registro delle opposizioni, niente chiamate, no chiamate,
	niet bellen, niet gebeld, niet telefonisch, bel me niet, belmeniet, geen telefoon, geen telefoontjes,
	nie dzwonic, nie dzwon, zakaz dzwonienia, nie telefonowac`;
/** Marks of every channel, unless the name says another one. */
const MARKS = `do not contact, dont contact, do not disturb, dnd, dnd settings, no contact, opt out, opts out, opted out, optout, optedout, unsubscribed, blacklisted, blacklist, do not solicit,
	nicht kontaktieren, nicht storen, kontaktsperre, werbesperre, werbeverbot, werbewiderspruch, kontaktverbot, robinsonliste, robinson liste,
	ne pas contacter, ne pas deranger, ne plus contacter, liste noire, no contactar, no molestar, lista robinson, robinson, lista negra,
	nao contatar, nao contactar, nao perturbe, nao perturbar, nao incomodar, non contattare, non disturbare, lista nera, niet contacteren, niet storen, niet benaderen, nie kontaktowac, nie przeszkadzac`;

/** Words after which a name is about a mark, and no mark itself: dates, reasons, who checked it. */
const ABOUT = `date|dates|datum|fecha|time|datetime|timestamp|reason|reasons|grund|motif|motivo|reden|raison|razon|notes?|notiz|comments?|kommentar|updated|created|changed|modified
	|until|bis|since|seit|depuis|desde|dal|sinds|before|after|history|count|total|number|nummer|numero|duration|last|letzte|scrub|scrubbed|checked|check|lookup|source|quelle|version|expires|expiry|expiration
	|removed?|cleared|compliant|compliance|exempt|url|link|token|attempts?|responsible|user`;
const about = new RegExp(
	`(^| )(${ABOUT.replace(/\s/g, '')})( |$)|(^not on )| (at|by|on|am|von|le|par|el|por|em|il|da|op|door|data)$|^data `,
);
const CALLS =
	/(^| )(call\w*|phone\w*|telephon\w*|telefon\w*|tel|voice|anruf\w*|angerufen|appel\w*|llama\w*|liga\w*|chiama\w*|bel|bellen|gebeld|telefoon\w*|\w*anruf\w*)( |$)/;
const OTHERS =
	/(^| )(e?mails?|mailing|sms|mms|text|texts|texting|fax|whatsapp|newsletters?|post|postal|push|briefe?|courriel|correo)( |$)/;

const alternatives = (text: string): string =>
	text
		.trim()
		.split(/,\s+/)
		.flatMap((mark) => {
			const joined = mark.replaceAll(' ', ' ?');
			return mark.replaceAll(' ', '').length >= 9
				? joined
				: `(?<![^ ])(?:is|has)?${joined}(?:list|flag|status)?(?![^ ])`;
		})
		.join('|');
const callMark = new RegExp(alternatives(CALL_MARKS));
const anyMark = new RegExp(alternatives(MARKS));

/** The words of a name: "hasOptedOutOfCalls", "DNC__c" and "Ne pas déranger (O/N)" as people read them. */
const wordsIn = (name: string): string =>
	plain(
		name.slice(0, MAX_NAME).replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' '),
	)
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();

/** What is known of the names of columns, which are the same in every row. */
const knownNames = new Map<string, boolean>();
const MAX_KNOWN = 1_000;
const MAX_NAME = 200;

/** Whether a column is named like a mark of people who must not be called, with whatever a CRM puts around it. */
export function isMarkColumn(name: string): boolean {
	const read = name.slice(0, MAX_NAME);
	const known = knownNames.get(read);
	if (known !== undefined) return known;
	if (knownNames.size >= MAX_KNOWN) knownNames.clear();
	const isMark = namesMark(read);
	knownNames.set(read, isMark);
	return isMark;
}

function namesMark(name: string): boolean {
	const words = wordsIn(name).replace(/(phone|mobile|contact) numbers?/g, '$1');
	if (about.test(words)) return false;
	if (callMark.test(words)) return true;
	return anyMark.test(words) && (!OTHERS.test(words) || CALLS.test(words));
}

const STATUS =
	/(^| )(status|statut|stato|estado|state|tags?|labels?|etiketten?|etiquetas?|disposition|stage|lists?|liste|segments?|groups?|gruppen?|categor\w*|kategorien?|preferences?|preferred|flags?)( |$)/;

/** Whether a column may say of some that they must not be called, among much else: a status, tags, a preference. */
export const isStatusColumn = (name: string): boolean => {
	const words = wordsIn(name);
	return STATUS.test(words) && !about.test(words);
};

const NO_CONTACT = 'do not contact, dont contact, do not disturb, dnd, no contact';
const wholeMark = new RegExp(`^(?:${alternatives(`${CALL_MARKS}, ${NO_CONTACT}`)})$`);
/** Shorter marks but DNC stand alone: "No call yet" is none. */
const longMark = new RegExp(
	alternatives(
		CALL_MARKS.trim()
			.split(/,\s+/)
			.filter((mark) => mark.length > 9 || mark === 'dnc')
			.join(', '),
	),
);

/** Whether a cell of such a column says it: "Do Not Call", `['VIP', 'DNC']`. */
export const saysNoCalls = (cell: unknown): boolean =>
	textsIn(cell).some((text) => {
		if (text === undefined || text.length > 60) return false;
		const words = wordsIn(text);
		return wholeMark.test(words) || (longMark.test(words) && !about.test(words));
	});

const CONSENTS =
	/(^| )(consents?|consented|permission|permits?|opt ?in|opted in|allow|allows|allowed|agrees?|agreed|accepts?|authori[sz]ed?|einwilligung|zustimmung|erlaubt|erlaubnis|consentement|accepte|autorise|autorisation|consentimiento|acepta|autoriza|autorizacion|permiso|consentimento|aceita|autorizacao|permissao|consenso|acconsente|autorizzazione|accetta|toestemming|toegestaan|zgoda|erwunscht|darf|durfen|peut|pouvons|puede|podemos|pode|possiamo|wolno)( |$)/;
const MAY_CALL =
	/(^| )(may|can|ok(ay)? to|happy to be) (we |i |be )?(call|called|phone|phoned)( you)?( |$)|(^| )mag (ik |u )?(gebeld|bellen)/;
const NEGATED =
	/(^| )(not?|dont|kein|keine|nicht|ne|pas|niet|geen|non|nao|without|withdrawn|revoked|denied|refus\w*)( |$)/;

/** Whether a column clearly asks for the consent to be called, so a no in it is a mark. */
export function consentOf(name: string): boolean {
	const words = wordsIn(name);
	if (about.test(words) || NEGATED.test(words) || isMarkColumn(name)) return false;
	return MAY_CALL.test(words) || (CONSENTS.test(words) && CALLS.test(words));
}

/** The first column of a row that looks like a mark, if there is one. */
export const markColumnOf = (row: object): string | undefined =>
	Object.keys(row).find(isMarkColumn);
