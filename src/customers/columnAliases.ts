/** What a column can hold: a field of a customer, or a part of the name. */
export type Slot =
	| 'identifier'
	| 'fullName'
	| 'shortName'
	| 'firstName'
	| 'lastName'
	| 'phoneNumber'
	| 'email'
	| 'priority'
	| 'isDoNotDisturbEnabled'
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
		{
			api: 'vid, canonical-vid, hs_object_id',
			en: 'Record ID, Contact Record ID',
			de: 'Datensatz-ID, Datensatznummer',
			fr: "ID de fiche d'informations, ID d'enregistrement, Numéro d'enregistrement",
			es: 'ID de registro, ID del registro, Número de registro',
			pt: 'ID do registro, ID de registro, ID do registo, Número do registro',
			it: 'ID record, ID del record, Numero record',
			nl: 'Recordnummer',
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
			api: 'cust_id',
			en: 'Customer ID, Client ID',
			de: 'Kunden-ID',
			fr: 'ID client, Identifiant client, ID du client',
			es: 'ID de cliente, ID cliente, ID del cliente',
			pt: 'ID do cliente',
			it: 'ID del cliente',
			nl: 'Klant-ID',
		},
		{
			api: 'person_id, subscriber_id, member_id',
			en: 'Contact ID, CRM ID',
			de: 'Kontakt-ID, Kontaktnummer, Personen-ID',
			fr: 'ID contact, ID du contact, Identifiant contact',
			es: 'ID de contacto, ID contacto, ID del contacto',
			pt: 'ID do contato, ID contato, ID do contacto',
			it: 'ID contatto, ID del contatto',
			nl: 'Contactpersoon-ID, Relatie-ID',
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
		{ api: 'lead_id, user_id, submission_id, response_id, entry_id, event_id' },
	],
	fullName: [
		{
			api: 'names, customer_name, person_name, full_name, display_name, contact_name, partner_name',
			en: 'Full Name, Display Name, Customer Name, Contact Name, Client Name, Lead Name, Your Name',
			de: 'Vollständiger Name, Voller Name, Vor- und Nachname, Kundenname, Kontaktname, Anzeigename',
			fr: 'Nom complet, Nom et prénom, Prénom et nom, Nom du client, Nom client, Nom du contact',
			es: 'Nombre completo, Nombre y apellidos, Nombre del cliente, Nombre del contacto',
			pt: 'Nome completo, Nome e sobrenome, Nome do cliente, Nome do contato',
			it: 'Nome e cognome, Nome cognome, Nominativo, Nome cliente',
			nl: 'Volledige naam, Klantnaam, Weergavenaam, Naam contactpersoon',
		},
	],
	shortName: [{ en: 'Name', fr: 'Nom', es: 'Nombre', pt: 'Nome', nl: 'Naam' }],
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
	// Marks that stop e-mails or text messages alone stay out: they say nothing on calls.
	isDoNotDisturbEnabled: [
		{
			api: 'is_do_not_disturb_enabled, dnd, dnc, donotphone, has_opted_out_of_calls, phone_opt_out, call_opt_out',
			en: 'Do Not Disturb, Do Not Call, Do Not Phone, Do Not Contact, Do Not Allow Phone Calls, Opt Out, Opted Out, Opt Out of Calls, Opted Out of Calls, No Calls',
			de: 'Nicht anrufen, Nicht stören, Bitte nicht anrufen, Nicht kontaktieren, Anrufsperre, Kontaktsperre, Keine Anrufe, Werbesperre',
			fr: 'Ne pas appeler, Ne pas déranger, Ne pas contacter, Ne pas téléphoner, Liste rouge',
			es: 'No llamar, No molestar, No contactar, Lista Robinson',
			pt: 'Não ligar, Não perturbe, Não perturbar, Não incomodar, Não contatar, Não contactar',
			it: 'Non chiamare, Non disturbare, Non contattare, Non telefonare',
			nl: 'Niet bellen, Niet storen, Niet contacteren, Bel-me-niet',
		},
	],
	metadata: [{ api: 'metadata' }],
};

/** Where the values of nested columns belong: to a person in the row, to the row itself, or to an address. */
export type HolderKind = 'person' | 'own' | 'address';

/** The objects and lists in whose columns the fields may stand; a delivery may go to someone else, and is not read. */
export const columnHolders: Readonly<Record<HolderKind, string>> = {
	person: 'customer, contact, person, client, lead, subscriber, member, requester, attendee, buyer',
	own: 'properties, fields, attributes, merge_fields, column_values, custom_fields, custom_field, custom_field_values, user_fields, custom_attributes, values, cells, names, profile, traits, form_response, answers, data, record, body, json',
	address: 'billing, billing_address, default_address, address, primary_address',
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

const holders = new Map(
	Object.entries(columnHolders).flatMap(([kind, text]) =>
		namesIn(text).map((name) => [name, kind as HolderKind] as const),
	),
);

/** The fields by their own names, which outrank every alias. */
const exact = new Set(['identifier', 'phoneNumber', 'email', 'priority', 'isDoNotDisturbEnabled']);

/** What a column of this name holds, if anything. */
export function slotOf(name: string): Known | undefined {
	// The Notion node puts this before the columns of a database.
	const found = known.get(plainName(name.replace(/^property_/, '')));
	return found && exact.has(name) ? { ...found, rank: 0 } : found;
}

/** Whose columns an object of this name holds, if anyone's. */
export const holderOf = (name: string): HolderKind | undefined => holders.get(plainName(name));
