/** What a column can hold: a field of a customer, or a part of the name. */
export type Slot =
	| 'identifier'
	| 'fullName'
	| 'shortName'
	| 'displayName'
	| 'firstName'
	| 'lastName'
	| 'phoneNumber'
	| 'email'
	| 'country'
	| 'priority'
	| 'metadata';

/** `api` is for the names that APIs and n8n's nodes use, the others for exports in a language. */
export type Source = 'api' | 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl';

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
			en: 'Contact ID, CRM ID, Person ID, Subscriber ID, Member ID, Patient ID',
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
		},
		// Of a contact these may name something else, so its own ID comes first.
		{ api: 'lead_id, user_id' },
	],
	fullName: [
		{
			api: 'names, customer_name, person_name, full_name',
			en: 'Full Name, Customer Name, Client Name, Lead Name, Your Name',
			de: 'Vollständiger Name, Voller Name, Vor- und Nachname, Kundenname',
			fr: 'Nom complet, Nom et prénom, Prénom et nom, Nom du client, Nom client',
			es: 'Nombre completo, Nombre y apellidos, Nombre del cliente',
			pt: 'Nome completo, Nome e sobrenome, Nome do cliente',
			it: 'Nome e cognome, Nome cognome, Nominativo, Nome cliente',
			nl: 'Volledige naam, Klantnaam, Naam contactpersoon',
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
			en: 'First Name, Given Name, Forename, Contact First Name, Billing First Name',
			es: 'Nombre de pila, Primer nombre',
			pt: 'Primeiro nome, Nome próprio',
			it: 'Nome di battesimo',
		},
		// Beside these, a column Name alone holds the last name.
		{ de: 'Vorname, Rufname', fr: 'Prénom', nl: 'Voornaam, Roepnaam' },
	],
	lastName: [
		{
			api: 'lname, last',
			en: 'Last Name, Surname, Family Name, Contact Last Name, Billing Last Name',
			de: 'Nachname, Familienname, Zuname',
			fr: 'Nom de famille',
			es: 'Apellidos, Apellido, Primer apellido',
			pt: 'Sobrenome, Último nome, Apelido',
			it: 'Cognome',
			nl: 'Achternaam, Familienaam',
		},
	],
	phoneNumber: [
		{
			api: 'mobile1, phone_mobile, sms_phone_number, hs_calculated_mobile_number, primary_mobile',
			en: 'Mobile, Mobile Phone, Mobile Number, Mobile Phone Number, Mobile No, Cell, Cell Phone, Cell Number, Cellphone, Cellular',
			de: 'Mobil, Mobiltelefon, Mobilnummer, Mobiltelefonnummer, Mobilfunknummer, Mobilfunk, Handy, Handynummer',
			fr: 'Portable, Téléphone portable, Téléphone mobile, Tél. portable, Tél. mobile, Numéro de portable, Numéro de téléphone mobile, Numéro de téléphone portable',
			es: 'Móvil, Celular, Teléfono móvil, Teléfono celular, Número de móvil, Número de teléfono móvil, Número móvil',
			pt: 'Telemóvel, Telefone celular, Número de celular, Número do celular, Número de telemóvel, Número de telefone celular',
			it: 'Cellulare, Telefono cellulare, Numero di cellulare, Numero cellulare, Numero di telefono cellulare, Telefono mobile',
			nl: 'Mobiel, Mobiele telefoon, Mobiel nummer, Mobiel telefoonnummer, Mobiele nummer, GSM, GSM-nummer',
		},
		{
			api: 'phones, phone_numbers, primary_phone, default_phone, main_phone, phone1, phone_1_value, telephone1, tel, Phone 1 - Value',
			en: 'Phone, Phone Number, Phone No, Telephone, Telephone Number, Tel No, Contact Phone, Primary Phone Number, Billing Phone, Your Phone Number, Customer Phone, WhatsApp, WhatsApp Phone Number',
			de: 'Telefon, Telefonnummer, Telefon-Nr., Tel.-Nr., Rufnummer, Telefon 1',
			fr: 'Numéro de téléphone, N° de téléphone, N° téléphone, Num tél, Tél. fixe, Téléphone fixe',
			es: 'Teléfono, Número de teléfono, Nº de teléfono, Número telefónico, Tfno, Teléfono fijo',
			pt: 'Telefone, Número de telefone, Número do telefone, Fone, Telefone fixo',
			it: 'Numero di telefono, Numero telefono, Numero telefonico, Recapito telefonico, Telefono fisso',
			nl: 'Telefoon, Telefoonnummer, Telefoonnr, Vaste telefoon',
		},
		{
			api: 'business_phones, business_phone, phone_office, telephone2',
			en: 'Work Phone, Work Phone Number, Office Phone, Business Phone Number, Company Phone, Contact Number, Contact No',
			de: 'Telefon geschäftlich, Telefon (geschäftlich), Geschäftstelefon',
			fr: 'Téléphone professionnel, Téléphone (bureau), Tél. pro',
			es: 'Teléfono del trabajo, Teléfono de trabajo, Teléfono de oficina',
			pt: 'Telefone comercial, Telefone do trabalho',
			it: 'Telefono ufficio, Telefono lavoro',
			nl: 'Telefoon werk, Zakelijke telefoon',
		},
		{
			api: 'home_phones, other_phone, sms',
			en: 'Home Phone, Home Phone Number, Other Phone Number, Alternate Phone',
			de: 'Telefon privat, Telefon (privat)',
			fr: 'Téléphone personnel, Téléphone domicile',
			es: 'Teléfono particular, Teléfono de casa',
			pt: 'Telefone residencial',
			it: 'Telefono casa, Telefono abitazione',
			nl: 'Telefoon privé, Telefoon thuis',
		},
	],
	email: [
		{ api: 'primary_email, primary_email_addr' },
		{
			api: 'emails, email_addresses, email1, emailaddress1, email_from, E-mail 1 - Value',
			en: 'Email, E-Mail, Email Address, Mail, Mail Address, Contact Email, Customer Email, Billing Email, Your Email',
			de: 'E-Mail-Adresse, Mailadresse',
			fr: 'Adresse e-mail, Adresse mail, Courriel, Adresse électronique, Adresse courriel',
			es: 'Correo, Correo electrónico, Dirección de correo electrónico, Dirección de correo',
			pt: 'Endereço de e-mail, Correio eletrônico, Correio eletrónico, Endereço de correio eletrónico',
			it: 'Indirizzo e-mail, Posta elettronica, Indirizzo di posta elettronica, Indirizzo mail',
			nl: 'E-mailadres, Mailadres',
		},
		{ api: 'login_email, alternate_email', en: 'Work Email, Personal Email, Home Email' },
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
		'customer, contact, person, client, lead, subscriber, member, requester, attendee, buyer, invitee, guest, patient, participant, payer, respondent, customers, contacts, persons, people, clients, leads, attendees, participants, person_id, contact_id, customer_id, client_id, partner_id, CustomerRef',
	own: 'properties, fields, attributes, merge_fields, column_values, custom_fields, custom_field, custom_field_values, user_fields, custom_attributes, values, cells, names, profile, traits',
	content:
		'data, record, body, json, payload, object, answers, form_response, field_data, form_data, event, detail, result',
	address:
		'billing, billing_address, billing_details, customer_details, default_address, address, primary_address, mailing_address',
	settings:
		'settings, preferences, contact_preferences, communication_preferences, consents, consent, privacy, permissions, compliance, gdpr, flags, opt_outs, marketing, subscriptions, notifications, metadata, meta_data, metafields, custom_properties, additional_fields, extra_fields, user_metadata',
};

/** Columns that only the rows of something else than a person have: orders, payments, deals, tickets, appointments, entries of a form. */
const thingColumns: Readonly<Record<string, string>> = {
	orders:
		'order_number, order_no, order_id, order_key, order_date, date_order, order_line, order_status, order_total, increment_id, line_items, lineitems, order_items, cart_token, checkout_token, checkout_id, financial_status, fulfillment_status, subtotal_price, grand_total, shipping_lines, Bestellnummer, Bestellnr, Bestell-ID, Auftragsnummer, Numéro de commande, N° commande, Número de pedido, Nº pedido, Número do pedido, Numero ordine, Ordernummer, Bestelnummer',
	payments:
		'invoice_number, invoice_no, invoice_id, invoice_date, invoice_status, InvoiceNumber, DocNumber, charge_id, amount_captured, amount_refunded, payment_intent, payment_method_details, payment_status, transaction_id, receipt_number, receipt_url, hosted_invoice_url, subscription_id, current_period_end, Rechnungsnummer, Rechnungsnr, Numéro de facture, N° facture, Número de factura, Número da fatura, Numero fattura, Factuurnummer',
	deals:
		'deal_id, deal_name, dealname, deal_stage, dealstage, deal_value, opportunity_id, opportunity_name, StageName, pipeline, pipeline_id, pipeline_stage_id, stage_id, expected_close_date, expected_revenue, won_time, lost_time, monetary_value, Opportunity Name, Angebotsnummer',
	tickets:
		'ticket_id, ticket_number, ticket_no, case_number, case_id, requester_id, submitter_id, subject, task_id, call_id, issue_id',
	appointments:
		'appointment_id, appointment_type, appointment_type_id, booking_id, booking_reference, event_type_uuid, invitee_uuid, start_time, end_time, starttime, endtime, reservation_id, meeting_id',
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
	tickets: 'ticket, tickets, case, conversation, task, call, issue',
	appointments: 'appointment, meeting, booking, calendar_event',
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

/** The fields by their own names, which outrank every alias. */
const exact = new Set(['identifier', 'phoneNumber', 'email', 'priority']);

/** Ranks of IDs that are the row's own: of an order, they are the ID of the order. */
const OWN_RANKS = [3, 7, 8, 9];

/** Whether a name is that of an ID of the row, whatever the row is about. */
export const isOwnId = ({ slot, rank }: Known): boolean =>
	slot === 'identifier' && OWN_RANKS.includes(rank);

/** What a column of this name holds, if anything. */
export function slotOf(name: string): Known | undefined {
	// The Notion node puts this before the columns of a database.
	const found = known.get(plainName(name.replace(/^property_/, '')));
	return found && exact.has(name) ? { ...found, rank: 0 } : found;
}

/** Whose columns an object of this name holds, if anyone's. */
export const holderOf = (name: string): HolderKind | undefined =>
	holders.get(plainName(name)) as HolderKind | undefined;

/** What the rows are, if not people, where they have a column of this name: "orders". */
export const thingOfColumn = (name: string): string | undefined => things.get(plainName(name));

/** The same where a column says in words what a row is, e.g. `object: 'charge'`. */
export const thingOfType = (column: string, value: unknown): string | undefined =>
	/^(object|type|object_?type|resource_?type|event_?type)$/i.test(column) &&
	typeof value === 'string'
		? (types.get(plainName(value)) ?? types.get(plainName(value.split(/[._ ]/)[0] ?? '')))
		: undefined;
