/** Words that names of columns are made of, by their kind, in nine languages; case, accents, spaces and signs do not count. */
export const nameWords = {
	customer:
		'customer client kunden kunde kd debitoren debitor cliente klant relatie debiteuren debiteur klienta klient',
	person: `person patient patienten member mitglieds mitglied student subscriber donor applicant candidate prospect tenant
		borrower debtor policyholder personen mieter contactpersoon locataire inquilino paciente socio`,
	// "Guest number" may be how many there are.
	guest: 'guest attendee passenger buyer lead resident',
	contact: 'contact kontakt contacto contato contatto',
	which: 'primary main default preferred best your whats whatis ihr ihre votre tu seu',
	record: 'record datensatz enregistrement denregistrement registro registo',
	external: 'external externe externo esterno',
	id: 'id identifier identifiant identificador identificativo identificatie kennung identyfikator uid uuid guid',
	code: 'code codigo codice cod kod',
	number: 'numbers number nbr nummer numer numero num nr no nº n',
	value: 'value e164 1 2 3',
	address: `adresse address addresses adresses adres adresy direccion endereco indirizzo
		electronique electronico eletronico electronica`,
	of: 'de del della du di do',
	and: 'and et und en y e i',
	mobile: `mobile mobil mob mobilfunk wireless cell cellular cellulare handy portable movil celular telemovel mobiel mobiele gsm
		komorkowy komorkowego komorka kom`,
	phone: `phones phone telephone telefonico telefonica telefon telefonu telefono telefone telefoon tel fone tfno tlf rufnummer rufnr
		whatsapp recapito`,
	// No kind has it, so a name with it holds nothing.
	domain: 'domain',
	mail: 'emails email mails mail courriel correo correioeletronico postaelettronica',
	work: `work office business bus geschaftlich gesch dienstlich geschafts buro bureau professionnel pro trabajo trabalho
		comercial oficina ufficio lavoro werk zakelijke`,
	home: `personal personale pessoal personnel personnelle privat private prive home homes other alternate particular
		casa domicile abitazione residencial thuis login`,
	landline: 'festnetz landline fixe fijo fisso fixo vaste vast stacjonarny',
	name: 'name nom nombre nome naam',
	full: 'full real vollstandiger voller complet completo volledige',
	display: 'display anzeige affiche weergave',
	first: `firstname givenname forename fname nombredepila primernombre primeironome nomeproprio
		nomedibattesimo`,
	// Beside these, a column Name alone holds the last name.
	forename: 'vorname rufname prenom voornaam roepnaam imie',
	last: `lastname lname surname familyname nachname familienname zuname nomdefamille nomdusage apellidos apellido
		primerapellido sobrenome ultimonome apelido cognome achternaam familienaam nazwisko`,
	priority: 'priority prioritat priorite prioridad prioridade priorita prioriteit',
	dial: 'calling dialing dial isd',
	call: 'call anruf appel dappel llamada ligacao chiamata bel',
	// What else labels say of a line of one's own; some are kinds of fields.
	line: `single text string link field standard direct direkt directo direto diretto line day daytime evening night voice sms company dienst residential extra additional secondary second backup new current custom
		own self me regular valid active verified hq headquarters switchboard voip fixed smartphone iphone android telegram viber signal residence house internet pref
		arbeit arbeits zuhause haus haupt sonstige andere weitere travail maison principal principale principaux autre perso
		otro otra outro outra altro altra lavorativo anders overig hoofd praca dom domowy inne inny glowny sluzbowy prywatny prywatne
		arbete hem arbejde hjem jobb annan`,
	country: 'country lander land pays pais paese nazione kraj',
};

/**
 * The names of columns, the best of each slot first; `|` stands between the ranks. `{record} {id}` is any name that is made of words
 * of these kinds, and of those in `[brackets]` where it has them. The names come from the output schemas of n8n's nodes: HubSpot
 * (vid, hs_object_id), Salesforce, Pipedrive, Zoho, Intercom, Zendesk and Zammad (external_id), Mailchimp (contact_id, FNAME),
 * Google Contacts (contactId, names), Outlook (mobilePhone, businessPhones), QuickBooks (PrimaryPhone), Xero (ContactID, Phones),
 * Keap (given_name, phone_numbers), WooCommerce (customer_id), Brevo (SMS), HighLevel (dnd), SeaTable (_id), Affinity, Freshdesk,
 * ActiveCampaign, Odoo. Dynamics (contactid, telephone1, donotphone), Close, Copper and the CSV exports of HubSpot, Google and Outlook
 * follow the documents of their makers; the languages follow the exports of HubSpot, Excel and accounting software.
 */
const slotNames = {
	// Of a contact the last may name something else, so its own ID comes first.
	identifier: `identifier, external identifier | vid, canonical-vid, Contact Record ID |
		hs_object_id, {record} {id}, {record} {number}, ID de fiche d'informations |
		payer_id, CRM ID, {contact} {id}, {person} {id}, {guest} {id}, Kontaktnummer |
		{customer} {number}, {customer} {code}, {person} {number}, {person} {code}, customer_key, client_key, person_key,
		member_key, subscriber_key, patient_key, student_key, donor_key, customer_ref, client_ref, person_ref, member_ref,
		patient_ref, student_ref, donor_ref, Référence client, Réf. client, Réf. locataire |
		cust_id, partner_id, {customer} {id} | unique_external_id, {external} {id} | {id}, Código, Codice |
		lead_id, user_id, end_user_id`,
	fullName: `names, fn, formatted_name, Your Name, {full} {name} [which], {customer} {name}, {person} {name}, {guest} {name}, Contact Person,
		Contactpersoon, Ansprechpartner, Interlocuteur, Persona de contacto, Pessoa de contato, Persona di contatto, Referente,
		Osoba kontaktowa, Vor- und Nachname, Nominativo, {first} {last} [and], {name} {last} [and],
		{forename} {last} [and], {forename} {name} [and]`,
	// What lists show of a contact may be its company.
	displayName: '{display} {name}, {contact} {name}',
	shortName: '{name} [which]',
	firstName: `first, customer_first, client_first, contact_first, patient_first, {first} [which] | {forename} [which]`,
	lastName: `last, customer_last, client_last, contact_last, patient_last, Apellido 1, {last} [which]`,
	// What stands between first and last name: Jan van der Berg.
	particle: 'Tussenvoegsel, Tussenvoegsels, Voorvoegsel',
	// What stands behind it: Ana García López.
	secondLastName: 'Apellido 2, Segundo apellido, Apellido materno',
	phoneNumber: `hs_calculated_mobile_number, sms_phone_number, text_reminder_number, {mobile} [phone number value which address work home landline] |
		hs_calculated_phone_number, hs_whatsapp_phone_number, sanitized_phone, New Phone, Current Phone, Ph, Ph No, {contact} {number}, {phone} [number value which address landline] |
		phone_office, telephone2, Company Phone, Landline, Landline Number, Festnetz, Festnetznummer, {phone} {work} [number value which landline] |
		sms, {phone} {home} [work number value which landline]`,
	email: `primary_email, primary_email_addr, New Email, Current Email |
		email_from, Email ID, {mail} [address number value which], Adresse électronique |
		{mail} {work} [address number value which], {mail} {home} [address work number value which]`,
	priority: '{priority} {call}, {priority} {dial} | {priority}',
	country: `{dial} {code} [country], Código de llamada, phone_code, {phone} {country} [code], {mobile} {country} [code], Código de país,
		Código do país, DDI, Ländervorwahl, Landesvorwahl, Internationale Vorwahl, Indicatif, Indicatif pays,
		Indicatif téléphonique, Prefijo internacional, Prefisso internazionale, Landnummer |
		{country} [code id name which address], country_iso, Country/Region, hs_country_region_code, mailing_country,
		mailing_country_code, Länderkürzel, Staat`,
	metadata: 'metadata',
};

/** What a column can hold: a field of a customer, or a part of the name. */
export type Slot = keyof typeof slotNames;

/** The names of columns of each slot by their rank, the best first. */
export const columnNames = Object.fromEntries(
	Object.entries(slotNames).map(([slot, ranks]) => [slot, ranks.split(/ \|\s+/)]),
) as Record<Slot, string[]>;

/**
 * The objects and lists in whose columns the fields may stand, a star is any letters: those of a person in the row, of the row
 * itself, of what a row only carries, of an address, or settings, where only the marks are read. A delivery may go to someone else.
 */
export const columnHolders = {
	person:
		'customer, contact, person, client, lead, subscriber, member, requester, attendee, buyer, invitee, guest, patient, participant, payer, respondent, donor, student, applicant, candidate, prospect, customers, contacts, persons, people, clients, leads, attendees, participants, person_id, contact_id, customer_id, client_id, partner_id, CustomerRef',
	own: 'properties, fields, all, attributes, merge_fields, column_values, custom_field, custom*fields, custom*values, custom_attributes, user_fields, data_fields, values, cells, names, profile, traits, auth, _embedded, communication_items',
	content:
		'data, record, body, json, payload, object, answers, form_response, field_data, form_data, event, detail, result',
	address:
		'billing, billing_address, billing_details, customer_details, default_address, default_billing_address, address, primary_address, mailing_address',
	settings:
		'settings, *preferences, *consent*, privacy, *permission*, compliance, gdpr, flags, opt_out, opt_in, *opt_outs, *opt_ins, marketing, *subscriptions, data_processing*, notifications, metadata, meta_data, metafields, custom_properties, additional_fields, extra_fields, user_metadata',
};

/** Whose the values of nested columns are. */
export type HolderKind = keyof typeof columnHolders;

/** Columns that only the rows of something else than a person have: orders, payments, deals, tickets, appointments, entries of a form. */
const thingColumns = {
	orders:
		'order_number, order_no, order_id, order_key, order_date, date_order, order_line, order_status, order_total, increment_id, line_items, lineitems, order_items, cart_token, checkout_token, checkout_id, financial_status, fulfillment_status, subtotal_price, grand_total, shipping_lines, shipment_id, shipment_number, tracking_number, tracking_code, quote_id, quote_number, estimate_id, estimate_number, work_order_id, work_order_number, job_number, Bestellnummer, Bestellnr, Bestell-ID, Auftragsnummer, Numéro de commande, N° commande, Número de pedido, Nº pedido, Número do pedido, Numero ordine, Ordernummer, Bestelnummer',
	payments:
		'invoice_number, invoice_no, invoice_id, invoice_date, invoice_status, InvoiceNumber, DocNumber, charge_id, amount_captured, amount_refunded, refunded_by, payment_intent, payment_type, payment_method_details, purchase_units, donation_date, payment_status, transaction_id, receipt_number, receipt_url, hosted_invoice_url, subscription_id, current_period_end, Rechnungsnummer, Rechnungsnr, Numéro de facture, N° facture, Número de factura, Número da fatura, Numero fattura, Factuurnummer',
	deals:
		'deal_id, deal_name, dealname, deal_stage, dealstage, deal_value, opportunity_id, opportunity_name, activitycount, StageName, pipeline, pipeline_id, pipeline_stage_id, stage_id, expected_close_date, expected_revenue, won_time, lost_time, monetary_value, Opportunity Name, Angebotsnummer',
	tickets:
		'ticket_id, ticket_number, ticket_no, case_number, case_id, requester_id, submitter_id, subject, task_id, issue_id, issue_type, idBoard, idList',
	calls:
		'call_id, call_sid, hs_call_title, hs_call_status, call_duration, call_direction, direction, recording_url, justcall_number, hangup_cause, answered_at',
	appointments:
		'appointment_id, appointment_type, appointment_type_id, booking_id, booking_reference, event_type_uuid, invitee_uuid, start_time, end_time, starttime, endtime, starts_at, ends_at, start_at, end_at, start_date_time, end_date_time, appointment_date, reservation_id, meeting_id',
	'form entries':
		'form_id, formhub/uuid, form_name, form_title, submission_id, submissionID, response_id, entry_id, respondent_id, form_response, submitted_at, submission_date, field_data, leadgen_id, landing_id, rawRequest, answers, event_id, Submission ID, Response ID, Entry ID',
};

/** Rows that say they are people are no thing, whatever other columns they have. */
export const PEOPLE = 'people';

/** What a row may say that it is, in a column of its own: `order` and `order.paid` alike. */
const thingTypes = {
	orders: 'order, orders, draft_order, checkout.session, checkout, cart',
	payments: 'charge, invoice, invoices, payment, payment_intent, subscription, transaction, refund',
	deals: 'deal, deals, opportunity, opportunities',
	tickets: 'ticket, tickets, case, conversation, task, issue',
	calls: 'call',
	appointments: 'appointment, meeting, booking, calendar_event, calendar',
	'form entries': 'form_response, submission, form_submission, entry',
	events: 'event',
	[PEOPLE]:
		'customer, contact, person, people, lead, profile, user, subscriber, member, prospect, patient',
};

/** A name as it is compared: small letters and digits without accents, spaces and signs. */
export const plainName = (name: string): string =>
	name
		.slice(0, 200)
		// Else they would be the word no, or nothing: "Member #", unlike the number in "Guest #2".
		.replace(/№|nº|(?<=\p{L}\s?)(?<!id\s?)#(?!\s*\d)/giu, 'nr')
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

/** What a name stands for, and how good it is: 0 is the best of its slot. */
export interface Known {
	readonly slot: Slot;
	readonly rank: number;
}

const exactNames = new Map<string, Known>();
const patterns: Array<{ known: Known; needs: string[]; allows: string[] }> = [];
for (const [slot, ranks] of Object.entries(columnNames) as Array<[Slot, string[]]>)
	for (const [i, names] of ranks.entries())
		for (const name of names.split(/,\s+/)) {
			const known = { slot, rank: i + 1 };
			const [named = '', allowed = ''] = name.split(/[[\]]/);
			const needs = [...named.matchAll(/\w+(?=\})/g)].flat();
			// "patient_first_name" is a first name; "patient_id" need not be the ID of this customer.
			const anyone = slot === 'identifier' ? [] : ['customer', 'person', 'guest', 'contact'];
			const allows = ['of', ...needs, ...anyone, ...allowed.split(' ')];
			if (needs.length > 0) patterns.push({ known, needs, allows });
			else exactNames.set(plainName(name), known);
		}

/** The longest first: "phones" is one word. */
const kindOfWord = Object.entries(nameWords)
	.flatMap(([kind, words]) => words.split(/\s+/).map((word) => ({ word, kind })))
	.toSorted((a, b) => b.word.length - a.word.length);

/** The kinds of the words that a name is made of; undefined where it has others. */
function kindsIn(plain: string): readonly string[] | undefined {
	if (plain === '') return [];
	for (const { word, kind } of kindOfWord) {
		const rest = plain.startsWith(word) ? kindsIn(plain.slice(word.length)) : undefined;
		if (rest) return [kind, ...rest];
	}
	return undefined;
}

type WordKind = keyof typeof nameWords;

const LINES: readonly string[] =
	'line mobile phone landline mail work home which number value address of'.split(' ');

/** Whether the label of a number or an address has only words for lines of one's own: "Work (direct)", not "Agent". */
export const isOwnLine = (label: string): boolean =>
	label.length <= MAX_LENGTH &&
	kindsIn(plainName(label).replace(/\d/g, ''))?.every((kind) => LINES.includes(kind)) === true;

/** Any word of these kinds, the longest first. */
export const anyOf = (...kinds: WordKind[]): string =>
	kinds
		.flatMap((kind) => nameWords[kind].split(/\s+/))
		.toSorted((a, b) => b.length - a.length)
		.join('|');
const NAMES = ['name', 'first', 'forename', 'last'] as const;
const KINDS = ['full', 'display', 'mail', 'phone', 'mobile', 'landline', 'number'] as const;
/** "First 2" is a name, "Last Contact" a day. */
const PART = '^(first|last)(?=\\d*$)';
const ofSlot = new RegExp(`${anyOf(...NAMES, ...KINDS, 'address', 'work', 'home')}|${PART}`, 'g');
const ofName = new RegExp(`${anyOf(...NAMES)}|${PART}`);
/** As a word of its own: "Lead Email" has none. */
const OF = new RegExp(`(?<!\\p{L})(?:${anyOf('of')})(?!\\p{L})`, 'giu');

/** Whom a column is about, by what stands beside the words of its slot, as "contact2" in "Contact 2 Phone"; and whether it is a name. */
export function aboutOf(name: string): { readonly stem: string; readonly isName: boolean } {
	const plain = plainName(name.replace(OF, ' '));
	return { stem: plain.replace(ofSlot, ''), isName: plain.search(ofName) >= 0 };
}

const MAX_LENGTH = 80;
const NO = /^no(phone|tel|e?mail)/;

function composed(plain: string): Known | undefined {
	const kinds = plain.length > MAX_LENGTH || NO.test(plain) ? undefined : kindsIn(plain);
	return patterns.find(
		({ needs, allows }) =>
			needs.every((kind) => kinds?.includes(kind)) && kinds?.every((kind) => allows.includes(kind)),
	)?.known;
}

/** What the Notion node puts before a column, and what people write behind one for those who fill it in. */
const NOTION = /^property_/;
const HINT =
	/\s*[([](?:[^)\]]*\b(?:required|optional|with|incl|country code|format|first|digits|e\.?g\b|pflicht|obligat)[^)\]]*|\+?\d*)[)\]]/gi;

/** What a column of this name holds, if anything; the fields by their own names outrank every other. */
export function slotOf(name: string): Known | undefined {
	const plain = plainName(unframed(name.slice(0, 200)).replace(NOTION, '').replace(HINT, ''));
	const found = exactNames.get(plain) ?? composed(plain);
	const isField = ['identifier', 'phoneNumber', 'email', 'priority'].includes(name);
	return found && isField ? { ...found, rank: 0 } : found;
}

/** "properties.firstname", as nested columns are called in a table. */
function unframed(name: string): string {
	const [, holder = '', rest = ''] = /^(\w+)\.(.+)$/.exec(name) ?? [];
	const kind = holderOf(holder);
	return kind === 'own' || kind === 'content' ? unframed(rest) : name;
}

/** Whose an ID is, by its rank: rows of any kind have an `id`; what a row is about may be another than whom it refers to. */
const idRanks = { own: [3, 7, 8, 9], anyRow: [8, 9], referredTo: [4, 6] };

/** Whether a column is such an ID by its name. */
export const isIdOf =
	(whose: keyof typeof idRanks) =>
	({ slot, rank = 0 }: Partial<Known>): boolean =>
		slot === 'identifier' && idRanks[whose].includes(rank);

/** Finds the entry of a table that has a name; a star there stands for any letters. */
function lookUp<Value extends string>(table: Readonly<Record<Value, string>>) {
	const entries = (Object.entries(table) as Array<[Value, string]>).flatMap(([value, names]) =>
		names.split(',').map((name) => ({ value, parts: name.split('*').map(plainName) })),
	);
	return (name: string): Value | undefined => {
		const plain = plainName(name);
		return entries.find(({ parts }) => fits(plain, parts))?.value;
	};
}

const fits = (plain: string, [first = '', ...rest]: readonly string[]): boolean =>
	rest.length === 0
		? plain === first
		: plain.startsWith(first) &&
			rest.every((part) => plain.includes(part)) &&
			plain.endsWith(rest.at(-1) ?? '');

/** Whose columns an object of this name holds, if anyone's. */
export const holderOf = lookUp(columnHolders);

/** What the rows are, if not people, where they have a column of this name: "orders". */
export const thingOfColumn = lookUp(thingColumns);

/** The same where a cell says it: `object: 'charge'`. */
export const thingOfCell = (column: string, cell: unknown): string | undefined =>
	typeof cell === 'string' && TYPE.test(column)
		? (thingOfType(cell) ?? thingOfType(cell.split(/[._ #]/)[0] ?? ''))
		: undefined;
const thingOfType = lookUp(thingTypes);
const TYPE =
	/^(object|type|kind|entity|resource|doctype|object_?type|resource_?type|event_?type)$/i;
