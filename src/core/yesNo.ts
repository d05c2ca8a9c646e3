import get from 'lodash/get';
import memoize from 'lodash/memoize';
import { parsedOrSame } from './json';
import { isBlank, textOf, visible } from './text';

// The words for yes and no, and the names of columns that mark people who must not be called: once, for customers and for calls.

/** Words that say yes or no wherever they stand, without accents. */
const YES = `true yes y t 1 1.0 -1 x ✓ ✔ ☑ ☒ ✅ on checked active enabled permanent set
	wahr ja j ein aktiv aktiviert oui o vrai v actif active coche si s verdadero activo sim verdadeiro ativo vero attivo waar actief aan tak prawda wlaczone да evet`;
const NO = `false no n f 0 0.0 off unchecked inactive disabled unset - – — ☐ □ ⬜ n/a na #n/a none null undefined
	falsch nein aus inaktiv deaktiviert keine non faux inactif falso inactivo nao inativo inattivo nee onwaar inactief uit nie falsz нет`;

/** Words that say by themselves that someone must not be called, or may be, whatever the column asks. */
const STOP = `do not call, do not contact, do not phone, do not disturb, do not allow, not allowed, no calls, dnc, on dnc, dnd, opt out, opted out, optout, not callable, uncallable, unsafe,
	unsubscribed, stop, blocked, blacklisted, withdrawn, revoked, denied, declined, rejected, unsubscribe, failed, fail, hit, match, found, listed,
	nicht anrufen, nicht erlaubt, widerrufen, gesperrt, ne pas appeler, no llamar, rechazado, revocado, nao ligar, bloqueado,
	non chiamare, negato, niet bellen, geweigerd, ingetrokken, abgelehnt, verweigert, entzogen, zuruckgezogen, widersprochen, retire, revoque,
	retirado, denegado, revogado, recusado, negado, revocato, ritirato, rifiutato, cofnieta, wycofana, odmowa,
	nicht zulassen, ne pas autoriser, no permitir, nao permitir, niet toestaan, non consentire, nie zezwalaj`;
const GO = `opted in, opt in, optin, subscribed, given, obtained, call, ok, okay, ok to call, can call, may call, callable, allow, allowed, granted, clean, clear, no hit, no match,
	erlaubt, anrufen erlaubt, autorise, permitido, consentito, toegestaan, zulassen, autoriser, permitir, toestaan, consentire, consenti, zezwalaj, passed, safe`;
/** Words that say of someone on a list that he is there, or is not. */
const PRESENT = `registered, on list, on the list, present, positive, eingetragen, registriert, gelistet, inscrit, inscrite, iscritto, iscritta,
	inscrito, inscrita, registrado, registrada, ingeschreven, geregistreerd`;
const MISSING = `not listed, not found, not on dnc, not on list, not on the list, not registered, nicht eingetragen, unregistered, nicht registriert, nicht gelistet,
	non inscrit, non inscrite, pas inscrit, pas inscrite, non iscritto, non iscritta, no inscrito, no inscrita, nao inscrito, nao inscrita,
	no registrado, no registrada, nao registrado, nao registrada, niet ingeschreven, niet geregistreerd`;
/** Words that say that a consent was given; of a mark they may say that someone asked for it. */
const GIVEN = `accepted, agreed, consented, approved, confirmed, erteilt, gestattet, gegeben, zugestimmt, accepte, accorde, donne, otorgado, aceptado,
	concedido, autorizado, aceito, concesso, accettato, fornito, gegeven, verleend, wyrazona, udzielona`;

const plain = (text: string): string =>
	visible(text.slice(0, 200))
		// Else they would be the word no.
		.replace(/№|nº/giu, 'nr')
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/\s+/g, ' ');
const wordOf = (text: string): string =>
	plain(text)
		.replace(/^["'“„«]+|["'”“».!]+$/gu, '')
		.replace(/(?<=\p{L})[-_](?=\p{L})/gu, ' ');
const setOf = (text: string, between: RegExp): ReadonlySet<string> =>
	new Set(text.trim().split(between));
const present = setOf(PRESENT, /,\s+/);
const yes = new Set([...setOf(YES, /\s+/), ...present]);
const no = new Set([...setOf(NO, /\s+/), ...setOf(MISSING, /,\s+/)]);
const stop = new Set([...setOf(STOP, /,\s+/), 'refused', 'refuse']);
const go = setOf(GO, /,\s+/);
const given = setOf(GIVEN, /,\s+/);
/** What stands behind such a word does not change it: "Opted out (web)". */
const stopFirst = new RegExp(`^(?:${[...stop].join('|')})(?![\\p{L}\\p{N}])`, 'u');

/** An answer to a mark that goes on behind its yes: "Yes, since May". */
const yesFirst = new RegExp(
	`^(?:requested(?!\\p{L})|(?:${YES.match(/\p{L}+/gu)?.join('|')})(?: ?[,;(]| [-–] ))`,
	'u',
);

/** Members that contain the value of an object, as Airtable, Notion, HubSpot and others write it; the first that is filled counts. */
const MEMBERS = [
	'value',
	'checked',
	'checkbox',
	'boolean',
	'selected',
	'enabled',
	'granted',
	'status',
]
	.concat(['displayValue', 'display_value', 'text', 'plain_text', 'name', 'label', 'title'])
	.concat(['array', 'string', 'number', 'option', 'start']);
const MAX_DEPTH = 5;

type Word = 'yes' | 'no' | 'stop' | 'go';

/** The texts of a cell that may say yes or no; undefined for an object that has none. */
function textsIn(cell: unknown, depth = 0): readonly (string | undefined)[] {
	if (isBlank(cell)) return [];
	const value = typeof cell === 'string' && /^\s*[{[]/.test(cell) ? parsedOrSame(cell) : cell;
	if (typeof value !== 'object' || value === null) return [textOf(value)];
	if (depth >= MAX_DEPTH) return [undefined];
	const members = Array.isArray(value) ? entriesOf(value) : membersOf(value);
	return members?.flatMap((each: unknown) => textsIn(each, depth + 1)) ?? [undefined];
}

/** Of a list of channels those for calls say yes: `['call', 'sms']`. */
const entriesOf = (list: readonly unknown[]): readonly unknown[] =>
	list.every((each) => typeof each === 'string' && isChannel(each))
		? list.filter((each) => isForCalls(String(each))).map(() => true)
		: list;

/** Each part of a longer text would be looked at as a name. */
const MAX_CHANNELS = 1_000;

/** A text of channels is a list of them: "calls;sms". */
function channelsIn(value: unknown): unknown {
	if (typeof value !== 'string' || value.length > MAX_CHANNELS || word(value)) return value;
	const parts = value.split(/[,;|/&\n]|\sand\s/);
	return parts.every(isChannel) ? parts : value;
}

/** The members of an object that say yes or no; undefined where there are none that are known. */
function membersOf(value: object): readonly unknown[] | undefined {
	const keys = Object.keys(value);
	const get = (key: string): unknown => Reflect.get(value, key);
	if (keys.length === 0) return undefined;
	const channel = Object.hasOwn(value, 'channel') ? get('channel') : undefined;
	if (typeof channel === 'string' && isChannel(channel) && !isForCalls(channel)) return [];
	if (keys.every(isChannel)) return keys.filter(isForCalls).map(get);
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
	if (yes.has(said)) return 'yes';
	if (no.has(said)) return 'no';
	return stopFirst.test(said) ? 'stop' : undefined;
}

/** Any yes wins; then what cannot be read, which a no must not hide. */
function read(said: ReadonlyArray<Word | undefined>, yesWords: readonly Word[]) {
	if (said.some((each) => each !== undefined && yesWords.includes(each))) return true;
	return said.includes(undefined) ? undefined : false;
}

/** Whether a mark says yes, in the words of seven languages: false where it is empty, undefined where it says neither. */
export const readYesNo = (value: unknown): boolean | undefined =>
	read(
		textsIn(channelsIn(value)).map((text) => {
			if (text === undefined) return undefined;
			return word(text) ?? (yesFirst.test(wordOf(text)) ? 'yes' : undefined);
		}),
		['yes', 'stop'],
	);

/** Answers that begin with a no, or say that a consent has ended: "No, thanks", "I do not agree", "Please don't". */
const REFUSES =
	/^(?:(?:please|sorry|absolut\w*|certainly|definitely|under|bitte|auf|por favor|per favore|surtout|(?:i|we)(?:.d| would)|rather|prefer)[,!.]? )*(?:[✗✘✖❌⛔🚫👎]|((i|we) )?(do |does |did |will |would |is |am )?(not?|nt|never|dont|don.t|doesn.t|nein|nie|nicht|keine?[nmrs]?|non|ne|pas|jamais|nunca|nao|niet|geen|mai|refus\w*|declin\w*|disagree\w*|expired|lapsed|abgelaufen)(?! ?(problem|objection|restriction|preference|limit|einw))(?![\p{L}\p{N}]))/u;
/** A day says when a consent was given, and a number whom to call by it. */
const FACT = /^\d{4}-\d\d-\d\d|^\d{1,2}[./]\d{1,2}[./]\d{2,4}|^\+?[\d\s()./-]{7,}$/;

/** The days that programs write where there is none. */
const NO_DAY =
	/^0000-00-00|^0001-01-01|^1899-12-3\d|^1970-01-01|^1\/[01]\/1900|^1900-01-0[01]|^0?[01][./]0?[01][./](0000|1900)/;
const isDay = (text: string): boolean =>
	FACT.test(text) || /(19|20)\d\d|^[34]\d{4}(\.\d+)?$/.test(text);

/** Whether a cell is a day, also of a sheet or in milliseconds, so what its column dates has happened. */
export const readDay = (value: unknown): boolean | undefined =>
	read(
		textsIn(value).map((text) => {
			if (text === undefined) return undefined;
			return NO_DAY.test(text) ? 'no' : (word(text) ?? (isDay(text) ? 'yes' : undefined));
		}),
		['yes', 'stop'],
	);

/** Whether the cell of a consent to calls says that someone must not be called, or lists other channels; an empty one does not. */
export const readRefusal = (value: unknown): boolean | undefined =>
	leavesOutCalls(value) ||
	read(
		textsIn(channelsIn(value)).map((text) => {
			if (text === undefined) return undefined;
			const answer = wordOf(text);
			const isGiven = given.has(answer) || FACT.test(text);
			return word(text) ?? (REFUSES.test(answer) ? 'no' : isGiven ? 'go' : undefined);
		}),
		['no', 'stop'],
	);

/** Marks that concern calls, as words: enough of them may stand anywhere in a name, the short ones only as words. */
const CALL_MARKS = `do not call, dont call, do not phone, dont phone, do not telephone, not to be called, no call, no calls, no phone,
	no phone calls, no marketing calls, no sales calls, no more calls, remove from call list, no telemarketing, do not ring, do not dial, dont dial, dnc, dncr, dncl, tps, ctps, telephone preference service, phone sanitized blacklisted,
	nicht anrufen, nicht mehr anrufen, ne plus appeler, niet meer bellen, nicht angerufen, nicht telefonieren, keine anrufe, kein anruf, kein telefon, kein telefonkontakt, nicht telefonisch,
	ne pas appeler, ne pas telephoner, ne pas etre appele, bloctel, liste rouge, pas d appel, pas d appels,
	no llamar, no telefonear, sin llamadas, nao ligar, nao telefonar, nao me ligue, sem ligacoes, nao receber ligacoes,
	non chiamare, non telefonare, registro opposizioni, registro delle opposizioni, niente chiamate, no chiamate,
	niet bellen, niet gebeld, niet telefonisch, bel me niet, belmeniet, geen telefoon, geen telefoontjes,
	nie dzwonic, nie dzwon, nie telefonowac`;
/** Marks of every channel, unless the name says another one. */
const MARKS = `do not contact, dont contact, do not disturb, dnd, dnd settings, no contact, opt out, opt outs, opts out, opted out, not contactable,
	consent withdrawn, consent revoked, consents withdrawn, consents revoked, permission withdrawn, permission revoked, withdrawn consent, revoked consent, withdrew consent, consent withdrawal, consent revocation, withdrawal of consent, revocation of consent,
	einwilligung widerrufen, einwilligung zuruckgezogen, zustimmung widerrufen, widerruf der einwilligung, widerruf einwilligung, consentement retire, consentement revoque, retrait du consentement, consentimiento retirado, consentimiento revocado,
	retirada del consentimiento, consentimento retirado, consentimento revogado, consenso revocato, consenso ritirato, revoca del consenso, toestemming ingetrokken, zgoda wycofana, zgoda cofnieta, no outreach, no solicitation, no soliciting, optout, optouts, optedout, unsubscribed, blacklisted, blacklist, do not solicit,
	nicht kontaktieren, nicht storen, kontaktsperre, werbesperre, werbeverbot, werbewiderspruch, kontaktverbot, robinsonliste, robinson liste,
	ne pas contacter, ne pas deranger, ne plus contacter, liste noire, no contactar, no molestar, lista robinson, robinson, lista negra,
	nao contatar, nao contactar, nao perturbe, nao me perturbe, nao perturbar, nao incomodar, non contattare, non disturbare, lista nera, niet contacteren, niet storen, niet benaderen, nie kontaktowac, nie przeszkadzac`;

/** A pattern for any of these words; a star stands for any letters. */
const anyOf = (words: string): string =>
	`(?<![^ ])(?:${words.trim().replace(/\s+/g, '|').replaceAll('*', '[^ ]*')})(?![^ ])`;

// What names say of calls is made of words of four kinds, in any order: "Anrufe nicht erlaubt", "No consent to call", "phone_suppressed".
const CALLS =
	anyOf(`(?<!record.)call(?!.?(?:back|record))* phone* telephon* telefon* tel voice telemarketing robocall* demarch* tcpa *anruf* angerufen appel*
	llama* llame* liga* ligue* chiama* ^contactable$ bel bellen gebeld belmeniet telefoon* *dzwoni*`);
const PERMITS =
	anyOf(`consent consents consented permission* permit permits opt.?in opted.in subscribed allow allows allowed agree agrees agreed accepts? authori[sz]ed?
	ok okay callable contactable wants? wish wishes receives? would.you.like.(?:us|to) happy.for.us contact.(?:you.)?(?:by|via|through|per)
	*einwilligung *zustimmung *erlaubnis erlaubt erlauben zulassen zulassig gestattet gewunscht erwunscht wunscht wunschen darf durfen mochte mochten
	consentement accord acceptez? acceptee?s? autorise[rz]? autorisee?s? autorisation permis peut pouvons veut voulez souhaitez? consentimiento aceptas? aceptad[oa]s? autorizas? autorizad[oa]s? autorizacion permiso permites? permitid[oa]s? permitir puede podemos quieres? deseas?
	consentimento aceita aceit[oa]s? autorizacao permissao pode quer deseja consenso acconsent[ei] consentire autorizz(?:i|at[oaei]|azione) consentit[oaei] permess[oaei] accett(?:[ai]|at[oaei]) puo possiamo vuole vuoi desider[ai]
	toestemming toegestaan toestaan tillat* tillad* mogen wilt? wenst zgod* wolno chce mozemy mozna zezwala*`);
const NEGATIONS = anyOf(
	`not? dont doesnt never without missing lacks? lacking ohne kein keine keinen nicht pas sans sin sem non niet geen zonder nao nie brak bez inte ikke`,
);
const REFUSALS =
	anyOf(`block blocks blocked blacklisted blacklist suppress* restrict* refus* withdrawn withdrew revoked denied forbidden prohibited stop.calls? stop.calling never.call (?:cant|(?:may|can|must|should).?not).(?:be.)?(?:call|phone)(?:e?d)?
	gesperrt *sperre *verbot verboten untersagt abgelehnt widerspr* widerruf* oppos* interdit* bloque* rechaz* excluir exclud* exclusion excluid* unerwunscht
	rifiut* recus* proibid* odmow* sprzeciw zakaz zablok* geblokkeerd geweigerd ingetrokken`);
const OTHERS = anyOf(
	`e.?mails? mails? mailing sms mms texts? texting fax whats.?app nps newsletters? post postal push briefe? courriel correo`,
);

const calls = new RegExp(CALLS);
const permits = new RegExp(PERMITS);
const refusals = new RegExp(REFUSALS);
const others = new RegExp(OTHERS);
const negations = new RegExp(NEGATIONS);
/** A permission that is denied, a word or two away: "veut pas etre appele", "no valid consent". */
const denials = new RegExp(`${NEGATIONS}(?: [^ ]+)? ${PERMITS}|${PERMITS}(?: [^ ]+)? ${NEGATIONS}`);

/** Words that say, behind a mark, that a name is only about it: dates, reasons, who checked it. */
const ABOUT = `date|dates|datum|fecha|time|datetime|timestamp|reason|reasons|grund|motif|motivo|reden|raison|razon|notes?|notiz|comments?|kommentar|updated|created|changed|modified
	|until|bis|hours?|window|uhrzeit|zeiten|heures|horario|orario|since|seit|depuis|desde|dal|sinds|before|after|history|count|total|number|nummer|numero|duration|last|letzte|scrub(?!.result)|scrubbed|checked|check|lookup|source|quelle|added|verified|verifie|geprueft|gepruft|verificad[oa]|verificato|screened|screening|washed|approved|clearance|vendor|provider|supplier|anbieter|lifted|expired|aufgehoben|version|expires|expiry|expiration
	|removed?|cleared|compliant|compliance|exempt|url|link|token|attempts?|responsible|user|mode|method|override|waive[dr]?|(?<=dn[cd].)(?:revoked|released?)|ids?|ip|(?<=consent.)text|type|name`;
/** Those that say so in front of a mark, too. */
const ABOUT_NEXT = `date|datum|fecha|reasons?|grund|motif|motivo|reden|raison|razon|notes?|notiz|comments?|updated|until|since|history|last|letzte|scrub|scrubbed|checked|removed|cleared|screened|verified|exempt|data|lists?|(?:total|number of|count of)(?= .*s( |$))`;
const SAYING = `(?:${CALLS}|${PERMITS}|${REFUSALS}|(?<![^ ])(?:dn[cd]|contact|disturb|out)(?![^ ]))`;
const about = new RegExp(
	`^opt(?:ed)? ?out of (?:the )?(?:dn[cd]|c?tps|do not)|^(?:${ABOUT_NEXT})(?![^ ])|(?<![^ ])(?:${ABOUT.replace(/\s/g, '')})(?: (?!${SAYING})[^ ]+)*$| (?:at|by|on|from|am|von|le|par|el|por|em|il|da|op|door|data)$`,
);

const alternatives = (text: string): string =>
	text
		.trim()
		.split(/,\s+/)
		.flatMap((mark) => {
			const joined = mark.replaceAll(' ', ' ?');
			const isLong = mark.replaceAll(' ', '').length >= 9;
			// "Telefono contacto" is no mark.
			if (isLong && !mark.startsWith('no ')) return joined;
			return `(?<![^ ])(?:is|has)?${joined}${isLong ? '' : '(?:list|flag|status)?(?![^ ])'}`;
		})
		.join('|');
const callMark = new RegExp(alternatives(CALL_MARKS));
const anyMark = new RegExp(alternatives(MARKS));

// Words between a negation and a mark, behind a mark, and those that say that a mark is not there.
const LINKS =
	anyOf(`on off? from for in at with to by the a an any our as is been currently yet longer mehr plus auf von im der dem den einer durch bei fur sur dans de la le les l d a au une? en el los las
	esta figura sul nel nella dal alla iscritt[oa] op het de bij een na w registered listed enrolled found set active eingetragen gelistet inscrite?s? registrad[oa] opgenomen al van do`);
const TAILS = anyOf(
	`lists? flag status indicator check scrub test result registry register liste eintrag hit match record registered listed eingetragen gelistet inscrit of from on file records? found phone calls?`,
);
const CLEAR = anyOf(
	`clear clean (?<!on.)off(?!.on) pass passed free safe(?:.to.(?:call|contact))? ok(?:.to.(?:call|contact))? okay negativ[aeo]? unregistered unlisted (?<=dn[cd].)(?:inactive|disabled) absent frei libre libero vrij (?:no|not|non|pas|nicht|kein|niet).(?:hits?|match|record|found|listed|registered|set|active|on|eingetragen|gelistet|inscrite?|iscritto|inscrito)`,
);
/** With the answers that are asked for: "(Y/N)". */
const END = `(?: ${TAILS})*(?: (?:y n|yes no|j n|ja nein|o n|s n))?$`;
const MARK = `(?:${alternatives(`${CALL_MARKS}, ${MARKS}`)})`;
/** Names that say of a mark that it is not there: "Not on DNC list", "TPS clear", "Keine Anrufsperre". */
const absent = new RegExp(
	`(?:${NEGATIONS}|(?<![^ ])(?:hors|fuori|fuera|fora|excluid[oa]|excluded|unlisted|unregistered|(?<!opt(?:ed)? )out(?= of )|isn t|hasn t|never)|^(?:is )?${CLEAR})(?: ${LINKS})* (?:${REFUSALS}|${MARK}${END})|${MARK}(?: ${TAILS})* ${CLEAR}${END}`,
);

/** A name as it was before UTF-8 was read as Latin-1: "zulässig", not "zulÃ¤ssig". */
const mended = (name: string): string =>
	/[ÂÃ][\u0080-\u00bf]/.test(name) && /^[\0-\u00ff]*$/.test(name)
		? new TextDecoder().decode(Uint8Array.from(name, (sign) => sign.charCodeAt(0)))
		: name;

/** What is opted out of are channels: the word call is one there, elsewhere it may be a permission. */
const OPT_OUT = /opt|subscri/i;

const DATE = /^\s*(\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})/;

/** What a mark says in a column of this name. */
export function readMarkIn(name: string, cell: unknown): boolean | undefined {
	const said =
		readYesNo(OPT_OUT.test(name) ? [cell].flat() : cell) ?? (statusSaysNoCalls(cell) || undefined);
	// Since when someone must not be called.
	const day: unknown = get(cell, 'start') ?? get(cell, 'date.start') ?? cell;
	return said ?? (DATE.test(textOf(day)) && endsInMark(name) ? readDay(cell) : undefined);
}

/** The words of a name: "hasOptedOutOfCalls", "DNC__c" and "Ne pas déranger (O/N)" as people read them. */
const wordsIn = (name: string): string =>
	plain(
		mended(name.slice(0, 200))
			.replace(/__c$/, '')
			// Surveys write their questions in HTML.
			.replace(/<[^<>]*>/g, ' ')
			.replace(/n['’´`]t(?!\p{L})/giu, 'nt')
			// "No. Phone", as sheets of some countries say.
			.replace(/(?<!\p{L})n[or]\.(?=\P{L}*\p{L})/giu, ' number ')
			.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' '),
	)
		.replace(/(?<![\p{L}\p{N}])d\.? ?n\.? ?([cd])\.?(?![\p{L}\p{N}])/gu, ' dn$1 ')
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.replace(/(phone|mobile|cell|contact|this) numbers?/g, '$1')
		// "Customer No Phone" has a number, too.
		.replace(
			/(?<=[a-z] )(?<!(?:is|has|with|there|in|on) )no(?= phone ?$| (?:dn[cd]|c?tps)(?![a-z]))/,
			'number',
		)
		.trim();

const channelName = new RegExp(
	`^(?:(?:${CALLS}|${OTHERS}|all|messages?|marketing|gmb|fb|chat|web)(?: |$))+$`,
);
/** Whether a name is that of a channel alone: "calls", "marketing_emails". */
export const isChannel = (name: string): boolean => channelName.test(wordsIn(name));
const isForCalls = (name: string): boolean => name.toLowerCase() === 'all' || isOfCalls(name);

/** Whether words say that calls are unwanted, whatever marks they are made of. */
const isUnwanted = (words: string): boolean =>
	calls.test(words) && (refusals.test(words) || denials.test(words));

const MAX_KNOWN = 1_000;
const MAX_CELL = 60;
class KnownNames extends Map<string, boolean> {
	override set(name: string, known: boolean): this {
		return this.size < MAX_KNOWN && name.length < MAX_CELL ? super.set(name, known) : this;
	}
}
/** Remembers what names mean: the rows of a run have the same few columns. */
export const remembered = (read: (name: string) => boolean): ((name: string) => boolean) =>
	Object.assign(memoize(read), { cache: new KnownNames() });

/** Whether a column is named like a mark of people who must not be called, with whatever a CRM puts around it. */
export const isMarkColumn = remembered((name) => {
	if (isExplainedConsent(name)) return false;
	const words = wordsIn(name);
	return isMarkIn(words) && !absent.test(words) && !about.test(words);
});

/** Of a mark of another channel DNC is none of calls: "SMS DNC". */
const isMarkNamed = (words: string): boolean =>
	calls.test(words) || !others.test(words)
		? callMark.test(words) || anyMark.test(words)
		: callMark.test(words.replace(/(?<![^ ])(?:is|has)?dnc[^ ]*/g, ' '));
const isMarkIn = (words: string): boolean => isMarkNamed(words) || isUnwanted(words);

const SINCE =
	/(^| )(date|datum|fecha|data|added|since|seit|depuis|desde|dal|sinds|timestamp|time|(at|on|am|le|el|il|da)(?=$))( |$)/;
/** Of these only a check has a date, or the end. */
const CHECKED =
	/(^| )(c?tps|rpo|dnc[lr])( |$)|preference service|bloctel|robinson|opposi|registr[yo]|perturbe|bel ?me ?niet|unsubscri|lists? (date|timestamp)/;
const dated = new RegExp(
	`^(?:${CALLS}|${REFUSALS}|${anyOf('put placed set entered registered request(?:ed)? lists? flag the of off in to for is was user customer contact client lead property hs eingetragen gesetzt')})$`,
);
const everyMark = new RegExp(MARK, 'g');

/** Whether a column says when someone was put on a list of people who must not be called: "DNC Date", "opted_out_at"; with any other word it may say something else. */
export const isMarkDate = remembered((name) => {
	const words = wordsIn(name);
	const rest = words.replace(everyMark, ' ').split(' ');
	return (
		(isMarkNamed(words) || (isUnwanted(words) && !permits.test(words))) &&
		!absent.test(words) &&
		SINCE.test(words) &&
		!CHECKED.test(words) &&
		rest.every((each) => each === '' || SINCE.test(each) || dated.test(each))
	);
});

/** Whether a column is named after a mark and more, so it is open what it says: "DNC Until", "DNC Override", "Suppression list". */
export const isUnclearMark = remembered((name) => {
	const words = wordsIn(name);
	const isRead = isMarkColumn(name) || isMarkDate(name) || consentOf(name);
	return (isMarkIn(words) || NEAR_MARK.test(words)) && !isRead;
});
const NEAR_MARK =
	/(^| )(rpo|blocked|baja)( |$)|litigat|suppress|blocklist|cease|snooz|quiet|objecti|objected|to object|forgotten|erasure|consent expired|sperr|widerr|opposition|oposicion|opposizion|bezwaar|sprzeciw/;

/** A consent is what stands before its explanations: "I agree to calls. Consent is not a condition of purchase." */
function isExplainedConsent(name: string): boolean {
	const [question = ''] = name.slice(0, 200).split(/(?<=\p{L}{2})[.;!?]\s|[,(]|_not_|_without_/u);
	// Of a number that is called, as most consents name it.
	return (
		question !== name && consentOf(question.replace(/\bat (the|this|my) [a-z ]*number\b.*/i, ''))
	);
}

const STATUS =
	/(^| )(status|statut|stato|estado|state|tags?|labels?|etiketten?|etiquetas?|disposition|stage|lists?|liste|segments?|groups?|gruppen?|categor\w*|kategorien?|preferences?|preferred|flags?)( |$)/;

/** Whether a column may say of some that they must not be called, among much else: a status, tags, a preference. */
const isStatusColumn = remembered((name) => {
	const words = wordsIn(name);
	return STATUS.test(words) && !about.test(words);
});

const NO_CONTACT =
	'do not contact, dont contact, do not disturb, dnd, no contact, blacklist, blacklisted';
const FILLERS =
	'(?:please|pls|again|any ?more|ever|lists?|listed|registered|request(?:ed|s)?|this|customer|client|contact|lead|bitte|mehr|plus|mas|mais|piu|meer|svp|prefere)';
const wholeMark = new RegExp(
	`^(?:${FILLERS} )*(?:${alternatives(`${CALL_MARKS}, ${NO_CONTACT}`)})(?: ${FILLERS})*$`,
);
/** Whether nothing stands behind the mark in the name of a column, unlike in "DNC Region". */
export const endsInMark = (name: string): boolean => ofMark.test(wordsIn(name));
const ofMark = new RegExp(
	`(?:${[MARK, CALLS, PERMITS, NEGATIONS, REFUSALS, LINKS, TAILS, `(?<![^ ])${FILLERS}(?![^ ])`].join('|')})${END}`,
);

/** How each mark of a cell begins, and what is in it; few other cells have both. */
const BEGINS =
	/(?:^|[^a-z])(?:do|d\.?n\.?[cd]|n[aãeio]|kein|black|c?tps|bloctel|liste|pas|sin|sem|registro|bel|geen|remove|(?:tele)?phone)/i;
const CONTAINS =
	/call|phon|ring|d\.?n\.?[cd]|tps|black|market|contact|disturb|ruf|telef|appel|voice|tcpa|rouge|bloctel|llama|lig|chiam|opposi|bel|dzwo/i;

/** Whether a whole cell says it, or a part that stands by itself: "Do Not Call", "Silva (DNC)". */
const saysItAlone = (text: string): boolean =>
	text.length <= MAX_CELL &&
	BEGINS.test(text) &&
	CONTAINS.test(text) &&
	text.split(/[()[\]{},;|/*\n]|\s[-–—]\s/).some((part) => wholeMark.test(wordsIn(part)));

/** Choices have a colour, in Notion under their type, or a name alone; any other may be a question that has no answer. */
const chosenIn = (cell: unknown): unknown[] =>
	[cell]
		.flat()
		.flatMap((each: unknown) => get(each, [String(get(each, 'type'))]) ?? each)
		.map((each: unknown) =>
			get(each, 'color') || Object.keys(Object(each)).every((key) => CHOICE.includes(key))
				? (get(each, 'name') ?? get(each, 'value') ?? each)
				: each,
		);

const CHOICE = ['id', 'name'];

/** Whether a cell of any column says that someone must not be called, by itself or as a choice. */
export const saysNoCalls = (cell: unknown): boolean =>
	typeof cell === 'string'
		? saysItAlone(cell)
		: typeof cell === 'object' &&
			chosenIn(cell).some((each) => typeof each === 'string' && saysItAlone(each));

/** The same of a status, or tags, which may say more. */
export const statusSaysNoCalls = (cell: unknown): boolean =>
	textsIn(cell).some(
		(text) =>
			text !== undefined &&
			text.length <= MAX_CELL &&
			CONTAINS.test(text) &&
			(saysItAlone(text) || isCallMark(text)),
	);

/** Shorter marks but DNC stand alone: "No call yet" is none. */
const isCallMark = (text: string): boolean => {
	const words = wordsIn(text);
	const isMark = longMark.test(words) || (anyMark.test(words) && calls.test(words));
	return (isMark || isUnwanted(words)) && !absent.test(words) && !about.test(words);
};
const longMark = new RegExp(
	alternatives(
		CALL_MARKS.trim()
			.split(/,\s+/)
			.filter((mark) => mark.length > 9 || mark === 'dnc')
			.join(', '),
	),
);

/** Columns that list how someone may be reached: "Channels", "Contact preferences". */
const isChannelColumn = remembered((name) =>
	/^(allowed )?((contact|communication) (channels|methods|preferences|by)|channels)$|^how (can|may|should|do|shall) we (contact|reach) you$/.test(
		wordsIn(name),
	),
);

/** Whether a cell lists channels, and none for calls: "email;sms", "Only by email". */
const leavesOutCalls = (cell: unknown): boolean => {
	const words = wordsIn([cell].flat().map(textOf).join().replace(BESIDE_CHANNELS, ''));
	return (
		channelName.test(words) &&
		others.test(words) &&
		!isForCalls(words) &&
		!/(^| )all( |$)/.test(words)
	);
};
const BESIDE_CHANNELS =
	/(?<!\p{L})(?:only|just|please|rather|by|via|through|per|and|or|me|us|nur|bitte|lieber|und|oder|seulement|uniquement|par|et|ou|s[oó]lo|solamente|por|y|o|e|soltanto|alleen|en|of)(?!\p{L})/giu;

/** Columns that say what a look for a mark came to, not by yes or no: "DNC check". */
const isMarkCheck = remembered((name) => {
	const words = wordsIn(name);
	const isCheck = /(^| )(check|scrub|lookup|results?|type|status)$/.test(words);
	return isCheck && isMarkIn(words) && !absent.test(words) && !isMarkColumn(name);
});
const isFound = (text = ''): boolean => stop.has(wordOf(text)) || present.has(wordOf(text));

const NUMBER = '(phone|telephone|telefoo?n|mobile|cell|tel)( no| \\d)?';
/** A name or a number with a mark beside it: "DNC Ana Silva". */
const BESIDE = /\b(dnc|(do not|don.t) (call|contact))\b/i;
const NAMED = new RegExp(
	`(^| )${NUMBER}$|^((first|last|full|customer|contact|client) )?(name|(vor|nach)name|nombre|nome?|cognome)$`,
);
/** No one was reached, or there is no number. */
const NONE = new RegExp(
	`(outcome|result|disposition|last).*: no (contact|call)$|${NUMBER}: (no|kein|geen) (phone|telefoo?n)( number)?$`,
	'i',
);
/** What the column is called after, e.g. "Voice". */
const OPTED_OUT = /^(opt(ed)? out|unsubscribed)\b/;

/** Whether a cell says it that is no answer to a mark or a consent: as a status, as a list of channels, or by itself. */
export const saysNoCallsIn = (name: string, cell: unknown): boolean =>
	((isStatusColumn(name) ? statusSaysNoCalls : saysNoCalls)(cell) &&
		!NONE.test(`${wordsIn(name)}: ${textOf(cell)}`)) ||
	(isChannelColumn(name) && leavesOutCalls(cell)) ||
	(typeof cell === 'string' &&
		((BESIDE.test(cell) && NAMED.test(wordsIn(name))) ||
			(OPTED_OUT.test(wordOf(cell)) && mayAskForCalls(name)))) ||
	(isMarkCheck(name) && textsIn(cell).some(isFound));

const MAY_CALL =
	/(^| )(may|can|happy to be|consent|permission|safe|clear|ok(ay)?) ?(to|we|i|be)? ?(be )?(call|called|phone|phoned)( you)?( (?!record)|$)|(^| )mag (ik |u )?(gebeld|bellen)|^(telefonkontakt|(phone|telephone) marketing|marketing (by|via|per) (tele)?phone|telefonwerbung|telefonische werbung|werbung (per|via) telefon|tele?phone contact|contact telephonique|conta[ct]{1,2}o telefonico|telefonisch contact|kontakt telefoniczny)$/;

/** The same of every channel. */
const MAY_CONTACT =
	/(^| )(may|can|happy to be|consent|permission|ok(ay)?) ?(to|we|i|be)? ?(be )?contact(ed)?( you)?$|^contact (permission|consent|allowed)$/;

/** The same where only the sign says that it is a question. */
const QUESTION = /^\s*(contact|call)\s*(\?|\(y(es)?\s*\/\s*no?\)\s*\??)\s*$/i;

/** Whether a column clearly asks for the consent to be called, so a no in it is a mark. */
export const consentOf = remembered((name) => {
	if (QUESTION.test(name) || isExplainedConsent(name)) return true;
	const words = wordsIn(name);
	if (isMarkIn(words) && absent.test(words)) return true;
	if (about.test(words) || negations.test(words) || refusals.test(words) || isMarkColumn(name))
		return false;
	if (MAY_CALL.test(words) || MAY_CONTACT.test(words)) return true;
	return permits.test(words) && calls.test(words);
});

/** Whether a column is a permission that names no channel: "Opt-in", "gdpr_consent". */
export const isPermission = (name: string): boolean =>
	PERMISSION.test(
		wordsIn(name)
			.replace(/[^\p{L}]+/gu, ' ')
			.trim(),
	);
const PERMISSION =
	/^((has|is|marketing|gdpr|dsgvo|rgpd|privacy|data|customer|contact|user|client) )*(consent(s|ed)?|opt(ed)? ?in|permission|permitted|allowed|einwilligung|zustimmung|consentement|consentimiento|consentimento|consenso|toestemming|zgoda)( (given|granted|obtained|erteilt))?$/;

/** Whether a cell says that someone must not be called, in a column that is no mark by its name: a consent, a status, or any other. */
export const isRefusedIn = (name: string, cell: unknown): boolean =>
	consentOf(name) ? readRefusal(cell) === true : saysNoCallsIn(name, cell);

/** Whether a mark, a consent or a label in an object or a list forbids calls: `{ number, do_not_call: true }`. */
export const forbidsInside = (cell: unknown, depth = 0): boolean =>
	typeof cell === 'object' &&
	cell !== null &&
	depth < MAX_DEPTH &&
	Object.entries(cell).some(([key, value]: [string, unknown]) => {
		// The entries of a list have no names.
		const name = Array.isArray(cell) ? '' : key;
		if (isMarkColumn(name)) return readYesNo(value) !== false;
		if (consentOf(name)) return readRefusal(value) === true;
		return typeof value === 'string'
			? statusSaysNoCalls(value) || isOptOut.test(wordsIn(value))
			: forbidsInside(value, depth + 1);
	});

/** The label or the status of a number needs no word for calls. */
const isOptOut = new RegExp(`^(?:${FILLERS} )*(?:blocked|${alternatives(MARKS)})(?: ${FILLERS})*$`);

/** Whether a label in a list of addresses says it: those may be unsubscribed, too. */
export const isLabeledNoCalls = (cell: unknown): boolean =>
	[cell]
		.flat()
		.flatMap((each) => (typeof each === 'object' ? Object.values(Object(each) as object) : []))
		.some(statusSaysNoCalls);

/** Whether a name has a word for calls or the phone. */
const isOfCalls = (name: string): boolean => calls.test(wordsIn(name));

/** Whether a cell says yes or no, or several times so. */
export const saysYesOrNo = (cell: unknown): boolean => {
	const said = textsIn(cell);
	return (
		said.length > 0 &&
		said.every((text) => text !== undefined && (word(text) ?? given.has(wordOf(text))))
	);
};

/** What yes and no say of a number itself: that it is there, or that it is right. */
const OF_NUMBER = /^has |verif|valid|confirm/;

/** Whether yes or no in a column of this name may concern calls, whatever they say. */
export const mayAskForCalls = (name: string): boolean =>
	isMarkIn(wordsIn(name)) || (isOfCalls(name) && !OF_NUMBER.test(wordsIn(name)));

/** Settings that say what a person agrees to. */
export const WISHES =
	/prefer|consent|permi|subscri|opt.?in|privacy|gdpr|rgpd|lgpd|dsgvo|einwillig|zustimm|toestemm|zgod|marketing|notification|processing|communication|channel/i;

/** Whether a name is that of an answer: `phone: { given: false }`. */
const isAnswer = (name: string): boolean =>
	[...MEMBERS, 'state', 'answer', 'response'].includes(name) ||
	[yes, go, given].some((all) => all.has(wordsIn(name)));

/** Whether a member says that someone must not be called only with the names around it: `consent: { phone: 'no' }`. */
export function forbidsWithin(around: readonly string[], name: string, value: unknown): boolean {
	const asked = `${around.at(-1) ?? ''} ${name}`;
	if (around.length === 0 || others.test(wordsIn(name)) || !mayAskForCalls(asked)) return false;
	if (isMarkColumn(asked)) return readYesNo(value) === true;
	const isWish = (isChannel(name) || isAnswer(name)) && around.some((each) => WISHES.test(each));
	return (isWish || consentOf(asked)) && readRefusal(value) === true && !isNoAnswer(value);
}

/** Whether a cell gives no answer: a dash is none, but a sign such as ✗ is an unclear one. */
export const isNoAnswer = (cell: unknown): boolean =>
	textsIn(cell).every(
		(text) => text !== undefined && /^([^\p{L}\p{N}\p{So}]|n\/?a)*$/iu.test(text),
	);

/** Whether a column that is not read may say of someone not to call: its name is open, or a no in it may be of other channels. */
export const mayForbidCalls = (name: string, cellsIn: () => readonly unknown[]): boolean =>
	isUnclearMark(name)
		? cellsIn().some((cell) => readYesNo(cell) !== false)
		: (isPermission(name) || (isChannel(name) && mayAskForCalls(name))) &&
			cellsIn().some((cell) => readRefusal(cell) === true && !isNoAnswer(cell));
