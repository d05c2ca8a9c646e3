/** What a column can hold: a field of a customer, or a part of the name. */
export type Slot =
	| 'identifier'
	| 'fullName'
	| 'shortName'
	| 'displayName'
	| 'firstName'
	| 'lastName'
	| 'particle'
	| 'phoneNumber'
	| 'email'
	| 'country'
	| 'priority'
	| 'metadata';

/** `api` is for the names that APIs and n8n's nodes use, the others for exports in a language. */
export type Source = 'api' | 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'pl';

/** Names that are equally good, as text separated by commas; case, accents, spaces and signs do not count. */
export type Aliases = Readonly<Partial<Record<Source, string>>>;

/**
 * The names of columns, the best of each slot first. The `api` names come from the output schemas of n8n's nodes: HubSpot
 * (vid, hs_object_id), Salesforce, Pipedrive, Zoho, Intercom, Zendesk and Zammad (external_id), Mailchimp (contact_id, FNAME),
 * Google Contacts (contactId, names), Outlook (mobilePhone, businessPhones), QuickBooks (PrimaryPhone), Xero (ContactID, Phones),
 * Keap (given_name, phone_numbers), WooCommerce (customer_id), Brevo (SMS), HighLevel (dnd), SeaTable (_id), Affinity, Freshdesk,
 * ActiveCampaign, Odoo. Dynamics (contactid, telephone1, donotphone), Close, Copper and the CSV exports of HubSpot, Google and Outlook
 * follow the documents of their makers; the seven languages follow the exports of HubSpot, Excel and accounting software.
 */
export const columnAliases: Readonly<Record<Slot, readonly Aliases[]>> = {
	identifier: [
		{ api: 'identifier, external identifier' },
		{ api: 'vid, canonical-vid', en: 'Contact Record ID' },
		{
			api: 'hs_object_id',
			en: 'Record ID',
			de: 'Datensatz-ID, Datensatznummer',
			fr: "ID de fiche d'informations, ID d'enregistrement, Numéro d'enregistrement",
			es: 'ID de registro, ID del registro, Número de registro',
			pt: 'ID do registro, ID de registro, ID do registo, Número do registro',
			it: 'ID record, ID del record, Numero record',
			nl: 'Recordnummer',
		},
		{
			api: 'payer_id',
			en: 'Contact ID, CRM ID, Person ID, Subscriber ID, Member ID, Patient ID, Student ID, Donor ID, Guest ID, Attendee ID, Applicant ID, Candidate ID, Prospect ID',
			de: 'Kontakt-ID, Kontaktnummer, Personen-ID',
			fr: 'ID contact, ID du contact, Identifiant contact',
			es: 'ID de contacto, ID contacto, ID del contacto',
			pt: 'ID do contato, ID contato, ID do contacto',
			it: 'ID contatto, ID del contatto',
			nl: 'Contactpersoon-ID, Relatie-ID',
		},
		{
			en: 'Customer Number, Customer No, Customer Nr, Customer Code, Client Number, Client No, Client Code',
			de: 'Kundennummer, Kundennr, Kunden-Nr., Kd.-Nr., Kundencode, Debitorennummer, Debitor-Nr.',
			fr: 'Numéro client, Numéro de client, N° client, Num client, Code client, Référence client',
			es: 'Número de cliente, Número cliente, N.º de cliente, Nº cliente, Código de cliente, Código cliente',
			pt: 'Número do cliente, Número de cliente, Código do cliente, Cód. cliente',
			it: 'Numero cliente, N. cliente, Codice cliente',
			nl: 'Klantnummer, Klantnr, Klantcode, Relatienummer, Debiteurnummer',
			pl: 'Numer klienta, Nr klienta, Kod klienta',
		},
		{
			api: 'cust_id, partner_id',
			en: 'Customer ID, Client ID',
			de: 'Kunden-ID',
			fr: 'ID client, Identifiant client, ID du client',
			es: 'ID de cliente, ID cliente, ID del cliente',
			pt: 'ID do cliente',
			it: 'ID del cliente',
			nl: 'Klant-ID',
			pl: 'ID klienta, Identyfikator klienta',
		},
		{
			api: 'unique_external_id',
			en: 'External ID',
			de: 'Externe ID',
			fr: 'ID externe',
			pt: 'ID externo',
			it: 'ID esterno',
		},
		{
			api: '_id, uid, uuid, guid',
			en: 'ID',
			de: 'Kennung',
			fr: 'Identifiant',
			es: 'Identificador, Código',
			it: 'Identificativo, Codice',
			nl: 'Identificatie',
			pl: 'Identyfikator',
		},
		// Of a contact these may name something else, so its own ID comes first.
		{ api: 'lead_id, user_id' },
	],
	fullName: [
		{
			api: 'names, customer_name, person_name, full_name, real_name, fn, formatted_name',
			en: 'Full Name, Customer Name, Client Name, Lead Name, Your Name',
			de: 'Vollständiger Name, Voller Name, Vor- und Nachname, Kundenname',
			fr: 'Nom complet, Nom et prénom, Prénom et nom, Nom du client, Nom client',
			es: 'Nombre completo, Nombre y apellidos, Nombre del cliente',
			pt: 'Nome completo, Nome e sobrenome, Nome do cliente',
			it: 'Nome e cognome, Nome cognome, Nominativo, Nome cliente',
			nl: 'Volledige naam, Klantnaam, Naam contactpersoon',
			pl: 'Imię i nazwisko, Nazwisko i imię',
		},
	],
	shortName: [{ en: 'Name', fr: 'Nom', es: 'Nombre', pt: 'Nome', nl: 'Naam' }],
	// What lists show of a contact may be its company.
	displayName: [
		{
			api: 'display_name, contact_name',
			en: 'Display Name, Contact Name',
			de: 'Kontaktname, Anzeigename',
			fr: 'Nom du contact, Nom affiché',
			es: 'Nombre del contacto',
			pt: 'Nome do contato',
			it: 'Nome contatto',
			nl: 'Weergavenaam',
		},
	],
	firstName: [
		{
			api: 'given_name, fname, first',
			en: 'First Name, Given Name, Forename',
			es: 'Nombre de pila, Primer nombre',
			pt: 'Primeiro nome, Nome próprio',
			it: 'Nome di battesimo',
		},
		// Beside these, a column Name alone holds the last name.
		{ de: 'Vorname, Rufname', fr: 'Prénom', nl: 'Voornaam, Roepnaam', pl: 'Imię' },
	],
	lastName: [
		{
			api: 'lname, last',
			en: 'Last Name, Surname, Family Name',
			de: 'Nachname, Familienname, Zuname',
			fr: 'Nom de famille',
			es: 'Apellidos, Apellido, Primer apellido',
			pt: 'Sobrenome, Último nome, Apelido',
			it: 'Cognome',
			nl: 'Achternaam, Familienaam',
			pl: 'Nazwisko',
		},
	],
	// What stands between first and last name: Jan van der Berg.
	particle: [{ nl: 'Tussenvoegsel, Tussenvoegsels, Voorvoegsel' }],
	// Others are made of `nameWords`.
	phoneNumber: [
		{ api: 'sms_phone_number, hs_calculated_mobile_number' },
		{ api: 'hs_calculated_phone_number, hs_whatsapp_phone_number' },
		{
			api: 'phone_office, telephone2',
			en: 'Contact Number, Contact No, Company Phone',
		},
		{ api: 'sms' },
	],
	email: [
		{ api: 'primary_email, primary_email_addr' },
		{
			api: 'emails, email_addresses, email1, emailaddress1, email_from, E-mail 1 - Value',
			en: 'Email, E-Mail, Email Address, Mail, Mail Address',
			de: 'E-Mail-Adresse, Mailadresse',
			fr: 'Adresse e-mail, Adresse mail, Courriel, Adresse électronique, Adresse courriel',
			es: 'Correo, Correo electrónico, Dirección de correo electrónico, Dirección de correo',
			pt: 'Endereço de e-mail, Correio eletrônico, Correio eletrónico, Endereço de correio eletrónico',
			it: 'Indirizzo e-mail, Posta elettronica, Indirizzo di posta elettronica, Indirizzo mail',
			nl: 'E-mailadres, Mailadres',
		},
	],
	priority: [
		{
			en: 'Calling Priority, Call Priority',
			de: 'Anrufpriorität',
			fr: "Priorité d'appel",
			es: 'Prioridad de llamada',
			pt: 'Prioridade de ligação',
			it: 'Priorità di chiamata',
			nl: 'Belprioriteit',
		},
		{
			en: 'Priority',
			de: 'Priorität',
			fr: 'Priorité',
			es: 'Prioridad',
			pt: 'Prioridade',
			it: 'Priorità',
			nl: 'Prioriteit',
		},
	],
	country: [
		{
			api: 'calling_code, dial_code, phone_code, phone_country, phone_country_code, mobile_country_code, country_calling_code, isd_code',
			en: 'Calling Code, Dialing Code, Dial Code, Country Calling Code, Phone Country, Phone Country Code, ISD Code',
			de: 'Ländervorwahl, Landesvorwahl, Internationale Vorwahl',
			fr: 'Indicatif, Indicatif pays, Indicatif téléphonique',
			es: 'Prefijo internacional, Código de país, Código de llamada',
			pt: 'DDI, Código do país',
			it: 'Prefisso internazionale',
			nl: 'Landnummer',
		},
		{
			api: 'country_code, country_iso, country_id, mailing_country, mailing_country_code, billing_country, hs_country_region_code, address_country',
			en: 'Country, Country Code, Country/Region, Country Name, Mailing Country, Billing Country',
			de: 'Land, Ländercode, Länderkürzel, Staat',
			fr: 'Pays, Code pays',
			es: 'País',
			pt: 'País',
			it: 'Paese, Nazione',
			nl: 'Landcode',
		},
	],
	metadata: [{ api: 'metadata' }],
};

/**
 * Whose the values of nested columns are: a person's in the row, those of the row itself, of what a row only carries, of an
 * address, or settings, of which only the marks are read.
 */
export type HolderKind = 'person' | 'own' | 'content' | 'address' | 'settings';

/** The objects and lists in whose columns the fields may stand; a delivery may go to someone else, and is not read. */
export const columnHolders: Readonly<Record<HolderKind, string>> = {
	person:
		'customer, contact, person, client, lead, subscriber, member, requester, attendee, buyer, invitee, guest, patient, participant, payer, respondent, donor, student, applicant, candidate, prospect, customers, contacts, persons, people, clients, leads, attendees, participants, person_id, contact_id, customer_id, client_id, partner_id, CustomerRef',
	own: 'properties, fields, attributes, merge_fields, column_values, custom_fields, custom_field, custom_field_values, custom_fields_values, user_fields, custom_attributes, values, cells, names, profile, traits',
	content:
		'data, record, body, json, payload, object, answers, form_response, field_data, form_data, event, detail, result',
	address:
		'billing, billing_address, billing_details, customer_details, default_address, default_billing_address, address, primary_address, mailing_address',
	settings:
		'settings, preferences, contact_preferences, communication_preferences, consents, consent, privacy, permissions, compliance, gdpr, flags, opt_outs, marketing, subscriptions, notifications, metadata, meta_data, metafields, custom_properties, additional_fields, extra_fields, user_metadata',
};

/** Columns that only the rows of something else than a person have: orders, payments, deals, tickets, appointments, entries of a form. */
const thingColumns: Readonly<Record<string, string>> = {
	orders:
		'order_number, order_no, order_id, order_key, order_date, date_order, order_line, order_status, order_total, increment_id, line_items, lineitems, order_items, cart_token, checkout_token, checkout_id, financial_status, fulfillment_status, subtotal_price, grand_total, shipping_lines, Bestellnummer, Bestellnr, Bestell-ID, Auftragsnummer, Numéro de commande, N° commande, Número de pedido, Nº pedido, Número do pedido, Numero ordine, Ordernummer, Bestelnummer',
	payments:
		'invoice_number, invoice_no, invoice_id, invoice_date, invoice_status, InvoiceNumber, DocNumber, charge_id, amount_captured, amount_refunded, refunded_by, payment_intent, payment_type, payment_method_details, purchase_units, donation_date, payment_status, transaction_id, receipt_number, receipt_url, hosted_invoice_url, subscription_id, current_period_end, Rechnungsnummer, Rechnungsnr, Numéro de facture, N° facture, Número de factura, Número da fatura, Numero fattura, Factuurnummer',
	deals:
		'deal_id, deal_name, dealname, deal_stage, dealstage, deal_value, opportunity_id, opportunity_name, StageName, pipeline, pipeline_id, pipeline_stage_id, stage_id, expected_close_date, expected_revenue, won_time, lost_time, monetary_value, Opportunity Name, Angebotsnummer',
	tickets:
		'ticket_id, ticket_number, ticket_no, case_number, case_id, requester_id, submitter_id, subject, task_id, issue_id, issue_type, idBoard, idList',
	calls:
		'call_id, call_sid, call_duration, call_direction, direction, recording_url, justcall_number, hangup_cause, answered_at',
	appointments:
		'appointment_id, appointment_type, appointment_type_id, booking_id, booking_reference, event_type_uuid, invitee_uuid, start_time, end_time, starttime, endtime, starts_at, ends_at, start_at, end_at, start_date_time, end_date_time, appointment_date, reservation_id, meeting_id',
	'form entries':
		'form_id, form_name, form_title, submission_id, submissionID, response_id, entry_id, respondent_id, form_response, submitted_at, submission_date, field_data, leadgen_id, landing_id, rawRequest, answers, event_id, Submission ID, Response ID, Entry ID',
};

/** Rows that say they are people are no thing, whatever other columns they have. */
export const PEOPLE = 'people';

/** What a row may say that it is, in a column of its own: `order` and `order.paid` alike. */
const thingTypes: Readonly<Record<string, string>> = {
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
		.normalize('NFD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');

const namesIn = (text: string): string[] => text.split(', ').map(plainName);

/** What an alias stands for, and how good it is: 0 is the best of its slot. */
export interface Known {
	readonly slot: Slot;
	readonly rank: number;
}

const known = new Map<string, Known>();
for (const [slot, ranks] of Object.entries(columnAliases))
	for (const [rank, aliases] of ranks.entries())
		for (const name of Object.values(aliases).flatMap(namesIn))
			if (!known.has(name)) known.set(name, { slot: slot as Slot, rank: rank + 1 });

const byName = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
	new Map(
		Object.entries(table).flatMap(([value, text]) =>
			namesIn(text).map((name): [string, string] => [name, value]),
		),
	);
const holders = byName(columnHolders);
const things = byName(thingColumns);
const types = byName(thingTypes);

/** Words that names of numbers and e-mail addresses are made of, in any order: "Tel. mobil", "Customer Phone 2". */
export const nameWords = {
	whose:
		'customer client contact person lead patient member guest student subscriber buyer attendee donor applicant candidate prospect billing primary main default preferred your kunden kontakt cliente contatto contacto contato klienta',
	mobile:
		'mobile mobil mobilfunk cell cellular cellulare handy portable movil celular telemovel mobiel mobiele gsm komorkowy komorka',
	phone:
		'phones phone telephone telefonico telefonica telefon telefono telefone telefoon tel fone tfno rufnummer rufnr whatsapp recapito',
	mail: 'emailaddress emails email mails mail',
	number:
		'numbers number nummer numero num nr no nº n value adresse address adres de del della du di do e164 1 2 3',
	work: 'work office business geschaftlich gesch dienstlich geschafts buro bureau professionnel pro trabajo trabalho comercial oficina ufficio lavoro werk zakelijke',
	home: 'personal personale pessoal personnel personnelle privat private prive home homes other alternate particular casa domicile abitazione residencial thuis login',
	landline: 'festnetz landline fixe fijo fisso fixo vaste vast stacjonarny',
};
const anyOf = (...texts: readonly string[]): string => texts.join(' ').replaceAll(' ', '|');
const { whose, mobile, phone, mail, number, work, home, landline } = nameWords;
const numberName = new RegExp(
	`^(?!nophone|notel)(?:${anyOf(whose, mobile, phone, number, work, home, landline)})+$`,
);
const mailName = new RegExp(`^(?!noe?mail)(?:${anyOf(whose, mail, number, work, home)})+$`);
const isMobile = new RegExp(anyOf(mobile));
const isPhone = new RegExp(anyOf(phone));
const isMail = new RegExp(anyOf(mail));
const isWork = new RegExp(anyOf(work));
const isHome = new RegExp(anyOf(home));

function composed(plain: string): Known | undefined {
	if (mailName.test(plain) && isMail.test(plain))
		return { slot: 'email', rank: isWork.test(plain) || isHome.test(plain) ? 3 : 2 };
	if (!numberName.test(plain) || !(isMobile.test(plain) || isPhone.test(plain))) return undefined;
	const rank = isMobile.test(plain) ? 1 : isHome.test(plain) ? 4 : isWork.test(plain) ? 3 : 2;
	return { slot: 'phoneNumber', rank };
}

/** The fields by their own names, which outrank every alias. */
const exact = new Set(['identifier', 'phoneNumber', 'email', 'priority']);

/** Ranks of IDs that are the row's own: of an order, they are the ID of the order. */
const OWN_RANKS = [3, 7, 8, 9];

/** Whether a name is that of an ID of the row, whatever the row is about. */
export const isOwnId = ({ slot, rank }: Known): boolean =>
	slot === 'identifier' && OWN_RANKS.includes(rank);

/** What the Notion node puts before a column, and what people write behind one for those who fill it in. */
const NOTION = /^property_/;
const HINT =
	/\s*[([](?:[^)\]]*(?:required|optional|with|incl|country code|format|first|digits|e\.?g|pflicht|obligat)[^)\]]*|\+?\d*)[)\]]/gi;
const WHOSE = new RegExp(`^(?:${anyOf(whose)})(?=.)`);

/** What a column of this name holds, if anything. */
export function slotOf(name: string): Known | undefined {
	const plain = plainName(unframed(name).replace(NOTION, '').replace(HINT, ''));
	const found = known.get(plain) ?? composed(plain) ?? numbered(plain) ?? ofPerson(plain);
	return found && exact.has(name) ? { ...found, rank: 0 } : found;
}

/** "Member No." is as good as "Customer Number". */
const NUMBERED =
	/^(?:customer|client|member|mitglieds?|patient|patienten|student|subscriber|donor|applicant|candidate|prospect|person)(?:key|code|number|nummer|nr|no|num|ref)$/;
const numbered = (plain: string): Known | undefined =>
	NUMBERED.test(plain) ? known.get('customernumber') : undefined;

/** "patient_first_name" is a first name; "patient_id" need not be the ID of this customer. */
function ofPerson(plain: string): Known | undefined {
	const found = known.get(plain.replace(WHOSE, ''));
	return found?.slot === 'identifier' || found?.slot === 'metadata' ? undefined : found;
}

/** "properties.firstname", as nested columns are called in a table. */
function unframed(name: string): string {
	const [, holder = '', rest = ''] = /^(\w+)\.(.+)$/.exec(name) ?? [];
	const kind = holderOf(holder);
	return kind === 'own' || kind === 'content' ? unframed(rest) : name;
}

/** Whose columns an object of this name holds, if anyone's. */
export const holderOf = (name: string): HolderKind | undefined =>
	holders.get(plainName(name)) as HolderKind | undefined;

/** What the rows are, if not people, where they have a column of this name: "orders". */
export const thingOfColumn = (name: string): string | undefined => things.get(plainName(name));

/** The same where a column says in words what a row is, e.g. `object: 'charge'`. */
export const thingOfType = (column: string, value: unknown): string | undefined =>
	/^(object|type|kind|entity|resource|object_?type|resource_?type|event_?type)$/i.test(column) &&
	typeof value === 'string'
		? (types.get(plainName(value)) ?? types.get(plainName(value.split(/[._ #]/)[0] ?? '')))
		: undefined;
