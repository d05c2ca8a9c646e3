import { holdersOf } from '../../../src/core/json';
import { metadata } from '../../../src/core/libphonenumber';
import { ALPHA3 } from '../../../src/core/phone/countryWords';
import { countryOfRow, readCountry } from '../../../src/core/phoneCountry';

it.each([
	['US', ['US', 'us', 'USA', 'United States', '+1', 'U.S.', 'U.S.A.', 'u. s.', '840', 840]],
	['US', ['United States (US)', 'US - United States', 'United States of America (the)', '🇺🇸 USA']],
	['US', ['Estados Unidos', 'EE. UU.', 'Vereinigte Staaten', 'Stany Zjednoczone', 'États-Unis']],
	['GB', ['UK', 'GB', 'GBR', 'Great Britain', '+44', 'United Kingdom (UK)', 'England, UK', '826']],
	['DE', [' de ', 'DEU', 'Germany', 'Deutschland', 'Allemagne', 'Alemania', 'Alemanha', 276]],
	['DE', ['Germania', 'Duitsland', '0049', '49', 'Niemcy', 'Tyskland', 'Deutschland (DE, +49)']],
	['DE', ['Federal Republic of Germany', 'Bundesrepublik Deutschland', 'Germany 🇩🇪']],
	['AT', ['Österreich', 'OSTERREICH', 'AUT']],
	['CH', ['Schweiz', 'Suisse', 'Svizzera', 'Schweiz/Suisse', 'CHE']],
	['NL', ['The Netherlands', 'Nederland', 'Netherlands (Kingdom of the)', 'Pays-Bas']],
	['BE', ['België', 'Belgique', 'Belgien']],
	['FR', ['(+33)', 'FRA', 'Francia']],
	['ES', ['España', 'ESP', 'Kingdom of Spain']],
	['IT', ['Italia', 'ITA']],
	['PL', ['Polska', 'POL', 'Pologne']],
	['SE', ['Sverige', 'SWE']],
	['DK', ['Danmark', 'DNK']],
	['NO', ['Norge', 'NO']],
	['FI', ['Suomi', 'Finland']],
	['IE', ['Republic of Ireland', 'Ireland, Republic of', 'Éire', 'IRL']],
	['TR', ['Turkey', 'Türkiye', 'TURKIYE', 'Türkei']],
	['CZ', ['Czech Republic', 'Czechia', 'Česko', 'Česká republika']],
	['RU', ['Russia', 'Russian Federation', 'Россия', 'RUS']],
	['UA', ['Україна', '804', 'UKR']],
	['GR', ['Ελλάδα', 'Greece']],
	['HK', ['Hong Kong', 'Hong Kong SAR', 'Hong Kong SAR China', 'Hong Kong (China)', 'HKG']],
	['TW', ['Taiwan', 'Republic of China', 'Taiwan, Province of China']],
	['CN', ['China', '中国', "People's Republic of China"]],
	['KR', ['South Korea', 'Korea, Republic of', 'Korea', 'Republic of Korea', '대한민국']],
	['KP', ['North Korea', "Korea, Democratic People's Republic of", '408']],
	['CD', ['Congo, The Democratic Republic of the', 'DR Congo', 'Congo - Kinshasa']],
	['BR', ['Brasil', 'BRA']],
	['MX', ['México']],
	['IN', ['India', '+91', 91, 'India (+91)', '+91 India']],
	['CA', ['Canada +1']],
	['KN', ['Saint Kitts and Nevis', 'St. Kitts & Nevis']],
	['TZ', ['Tanzania, United Republic of', 'TZA']],
	['VN', ['Viet Nam', 'Việt Nam', 84]],
	['AU', ['036', 'AUS']],
])('reads the country %s in each of %j', (country, values) => {
	expect(values.filter((value) => readCountry(value) !== country)).toEqual([]);
});

it.each([
	...['', 'XX', '+999', '800', 'Utopia', 'Berlin', 'Germany (+33)', null, undefined, true, {}],
	...[['US'], '12345', '__proto__', 'Congo', 'Georgia, USA', 'DE (Delaware)', 'Atlanta, GA'],
	// The calling code of Malta and the number of India, of Ukraine and of Italy.
	...['356', 380, 'Korea, Democratic', '999', 'Not Germany'],
])('reads no country in %j', (value) => {
	expect(readCountry(value)).toBeUndefined();
});

it.each([
	['Country', 40, undefined],
	['Country', '36', undefined],
	['Country', 840, 'US'],
	['Country', 49, 'DE'],
	['Country Code', 40, 'RO'],
	['Dial code', 380, 'UA'],
	['Phone country code', '356', 'MT'],
	['Country', '+356', 'MT'],
])('reads the digits of a column by its name: %s, %j', (column, value, country) => {
	expect(readCountry(value, column)).toBe(country);
});

it('knows the codes of three letters of every country but two islands', () => {
	const known = ALPHA3.split(' ').map((codes) => codes.slice(3) || codes.slice(0, 2));
	const all = Object.keys(metadata.countries).filter((code) => /^[A-Z]{2}$/.test(code));
	expect(all.filter((code) => !known.includes(code))).toEqual(['AC', 'TA']);
});

it.each<readonly [string, object]>([
	['US', { 'Area Code': '212', 'Store code': '44', zip_code: '39', 'Phone code': '' }],
	['FR', { CNTRY: 'FR' }],
	['FR', { phone: { number: '06 12 34 56 78', iso2: 'fr' } }],
	['US', { shop: { region: 'FR' }, phone: { number: '415 555 0101', valid: true } }],
	['US', { phone_country: 'US', Country: 'United States' }],
	['US', { items: [{ country: 'US' }], phone: '1' }],
	['US', { Country: 'unknown', Bundesland: 'BE' }],
	['US', { Country: '#N/A', country: 'n.a.', Land: '--None--', land: 'Select a country…' }],
	['CN', { Country: 'Čína' }],
	['CN', { Country: 'Ķīna' }],
	['FR', { Country: 'France', 'IP Country': 'Germany', Region: 'Spain', Land: 'BE' }],
	['FR', { 'Phone Country': 'FR', 'Dial code': '33', 'Shipping Country': 'Germany' }],
	['US', { Country: "'US", country: 'Ｕｎｉｔｅｄ Ｓｔａｔｅｓ' }],
	['US', { Country: 'TBD', country: '-' }],
	['US', { Country: 'n/a', Region: 'DE', Location: 'Georgia', 'Dial attempts': 7 }],
	['US', { 'Country of birth': 'Germany', Nationality: 'German' }],
	['US', { 'Preferred country': 'US', 'Shipping Country': 'Canada' }],
	['DE', { Country: 'Germany' }],
	['DE', { 'Country/Region': 'Germany', phone_country: 'DEU' }],
	['DE', { 'Dial code': '49', country: 'DE' }],
	['DE', { contact: { address: { country: 'Germany' } } }],
	['DE', { body: { data: { customer: { address: { country: 'DE' } } } } }],
	['DE', { country: { code: 'DE', name: 'Germany', currency: 'EUR' } }],
	['DE', { country: 'Germany', owner: { country: 'US' } }],
	['DE', { custom_fields: [{ name: 'Country', value: 'Germany' }] }],
	['DE', { country: '{"code":"DE"}' }],
	['DE', { Country: { value: 'DE', label: 'Germany' } }],
	['DE', { 'Country calling code': '49' }],
	['CN', { Country: '中国' }],
	['RU', { Страна: 'Россия' }],
	...['Nation', 'LAND1', 'Quốc gia', 'Country 1', 'Länderkennzeichen', 'Landskod', 'ประเทศ'].map(
		(name) => ['FR', { [name]: 'FR' }] as const,
	),
	['FR', { column_values: [{ title: 'Country', text: 'France', value: null }] }],
	['FR', { column_values: [{ column: { title: 'Country' }, text: 'France' }] }],
	['FR', { addresses: [{ country: 'FR' }] }],
	// What may be the name of someone or something else, and what is no country.
	['US', { 'First Name': 'Jordan', last_name: 'Chad', Vorname: 'India', Owner: 'Georgia' }],
	['US', { City: 'Singapore', State: 'Georgia', Company: 'France', Destination: 'Italy' }],
	['US', { Language: 'German', Called: 'NO', Notes: 'She is in Germany', Region: 'Georgia' }],
	['US', { Notes: 'Will travel in May, France', Menu: 'Turkey', Store: 'Peru', Coach: 'Jordan' }],
	...['Destination City', 'City of Interest', 'Next city', 'Birth city'].map(
		(name) => ['US', { [name]: 'Rome, Italy' }] as const,
	),
	...['Lebanon', 'Mexico', 'Atlanta, Georgia', 'Paris, Texas', 'Vienna, VA', 'Rome, NY, USA'].map(
		(City) => ['US', { City }] as const,
	),
	['US', { Message: 'Call me.\nThanks, Chad', Deal: 'Acme - Germany', Tags: 'vip;Mexico' }],
	[
		'US',
		{ Comment: 'Spain', Timezone: 'Asia/Singapore', 'Formatted Address': '1 Elm, Boston, USA' },
	],
	['US', { CurrencyIsoCode: 'EUR', language_iso: 'de', iso: 'USD', 'Country Risk': 'Low' }],
	['US', { 'Land Value': '$200,000', Land: '2.5 acres', Nation: 'Navajo' }],
	['US', { 'Territory Owner': 'Chad', 'Region Manager': 'Israel', Resident: 'Jordan' }],
	['US', { 'Country currency': 'EUR', 'City, State, Country': 'Austin, TX, USA' }],
	['US', { 'País de nacimiento': 'Perú', 'Country/State': 'Texas', Items: '12 plates, China' }],
	['US', { location: { city: 'Singapore', name: 'Home' } }],
	['US', { First: 'Kenya', body: { name: 'Israel', page: 'https://x.com/germany' } }],
	['US', { line_items: [{ title: 'Jersey' }], Address: '12 Main St, Holland, MI 49423' }],
	['US', { 'Country ID': '0015g0000', country_updated: '2026-01-01 10:00', 'Same country': 'yes' }],
	['US', { Country: { id: 'a%3Ab', type: 'select', select: null }, cc_email: 'a@example.com' }],
	[
		'US',
		{
			cc: [{ name: 'Bob' }],
			'Land Use': 'Residential',
			'Who pays': 'Bob',
			'Country Manager': 'Bob',
		},
	],
	['US', { Country: { value: null, source: 'IMPORT' }, country: { id: 49, label: '' } }],
	[
		'DE',
		{ Country: { id: 1, label: 'Germany' }, Land: { type: 'select', select: { name: 'DE' } } },
	],
	['US', { 'Mailing Country': 'USA', Region: 'Canada', Address: '1 Main St, Austin, USA' }],
	['DE', { Land: 'Deutschland' }],
	['DE', { Land: 'DE' }],
	['AT', { Land: 'at' }],
	['DE', { Country: 'Germany', Land: 'BY' }],
	['DE', { Country: 'Germany', Land: 'Bayern' }],
	['DE', { Country: 276 }],
])('takes numbers to be from %s, US being chosen, beside %j', (country, row) => {
	expect(countryOfRow(row, 'US').country).toBe(country);
});

const ADD_COLUMN = 'Add a column Country that says where the phone is, or remove this one';
const WRONG = 'Correct or remove the wrong one';

it.each<readonly [object, string | undefined]>([
	[
		{ owner: { country: 'Germany' } },
		`'country' says "Germany" while Default Country is US. ${ADD_COLUMN}`,
	],
	[{ items: [{ country: 'Germany' }] }, undefined],
	[
		{ phone_country: 'US', country: 'Germany' },
		`'phone_country' says "US" and 'country' says "Germany". ${WRONG}`,
	],
	[
		{ 'Dial code': '+1', Country: 'Germany' },
		`'Country' says "Germany" and 'Dial code' says "+1". ${WRONG}`,
	],
	[{ phone_country_code: '49', country: 'US' }, undefined],
	[{ 'Billing Country': 'Germany', 'Shipping Country': 'US' }, undefined],
	[{ 'Billing Country': 'Germany' }, undefined],
	[{ 'Preferred country': 'Germany' }, undefined],
	[{ 'Destination country': 'Germany' }, undefined],
	[{ 'Country of interest': 'UK' }, undefined],
	[
		{ Country: 'Atlantis' },
		`'Country' says "Atlantis", which is not a known country. Use two letters, e.g. US or DE`,
	],
	[
		{ Country: 40 },
		`'Country' says "40", which is not a known country. Use two letters, e.g. US or DE`,
	],
	[{ country: { code: 'DE' }, 'Phone country': 'US' }, undefined],
	...['SL', 'TH', 'BE', 'by'].map(
		(Land) =>
			[{ Land }, `'Land' says "${Land}" while Default Country is US. ${ADD_COLUMN}`] as const,
	),
	[{ Land: 'NW' }, `'Land' says "NW", which is not a known country. ${ADD_COLUMN}`],
	[{ Kraj: 'ST' }, undefined],
	[{ Country: 'DE', phone: { number: '06 12 34 56 78', region: 'FR' } }, undefined],
	[
		{ metadata: { country: 'Germany' } },
		`'country' says "Germany" while Default Country is US. ${ADD_COLUMN}`,
	],
	[{ 'Country calling code': '049' }, undefined],
	...[
		'Código de país',
		'Codigo Pais',
		'International Code',
		'Intl. Code',
		'Phone Code',
		'Auslandsvorwahl',
	].map((name) => [{ [name]: 33 }, undefined] as const),
	...['Kierunkowy', 'Landnummer', 'Netnummer'].map(
		(name) => [{ [name]: '+33' }, undefined] as const,
	),
	...['Ctry', 'CNTRY', 'Ländername'].map((name) => [{ [name]: 'Atlantis' }, undefined] as const),
	[{ Country: 'EU' }, undefined],
	[{ Country: '🇩🇪' }, undefined],
	[{ Region: 'Germany' }, undefined],
	[{ Wohnsitzland: 'AT' }, undefined],
	[{ 'Mailing Country': 'Berlin, Germany' }, undefined],
	...['de-AT', 'Utopia'].map(
		(text) =>
			[
				{ 'Mailing Country': text },
				`'Mailing Country' says "${text}", which is not a known country. ${ADD_COLUMN}`,
			] as const,
	),
	...[{ 'Mailing Country': 'NA' }, { x: { 'Shipping Country': 'Utopia' } }].map(
		(row) => [row, undefined] as const,
	),
	...['Heimat', 'Market', 'Indirizzo', 'Région', 'Mercado', 'Woonplaats', 'property_region'].map(
		(name) =>
			[
				{ [name]: 'Frankreich' },
				`'${name}' says "Frankreich" while Default Country is US. ${ADD_COLUMN}`,
			] as const,
	),
	...[
		'Rue de la Paix 1, 75001 Paris, France',
		'Paris\nFrance',
		'日本',
		'UK',
		'London, UK',
		'London (U.K.)',
		'Congo - Kinshasa',
	].map((Address) => [{ Address }, undefined] as const),
	...['City', 'Ville', 'mailing_city', 'Città'].map(
		(name) => [{ [name]: 'Paris, France' }, undefined] as const,
	),
	...['Germany (DE)', 'Europe/Germany', 'Federal Republic of Germany', '🇩🇪 Germany'].map(
		(Market) => [{ Market }, undefined] as const,
	),
	[{ 'Ship To': '10 High St, London, United Kingdom' }, undefined],
	[{ location: { display_name: 'Vienna, Austria' } }, undefined],
	...['国名', 'Kod kraju', 'ISO2', 'Országkód'].map(
		(name) => [{ [name]: 'DE', x: 1 }, undefined] as const,
	),
	[{ 'Land (privat)': 'Berlin, Deutschland' }, undefined],
	[{ lead: { residence: { value: 'Germany' } } }, undefined],
	[{ region: { type: 'select', select: { name: 'Germany', color: 'red' } } }, undefined],
	[{ Country: { type: 'select', select: { name: 'Germny', color: 'red' } } }, undefined],
	[{ Lieferland: 'Österreich' }, undefined],
	[{ Location: 'Österreich' }, undefined],
	[{ Country: 'France', Land: 'Spain', 'IP Country': 'France' }, undefined],
	...['Other', 'Andere', 'Sonstige', 'Otro', 'Autre', 'anders', 'Altro', 'Outro'].map(
		(Country) => [{ Country }, undefined] as const,
	),
	...['NA', 'na', '(NA)'].map(
		(Country) =>
			[
				{ Country },
				`'Country' says "${Country}", which may be Namibia or nothing. Write Namibia, or leave it empty`,
			] as const,
	),
	[{ Land: 'Bayern' }, `'Land' says "Bayern", which is not a known country. ${ADD_COLUMN}`],
])('says which column makes the country unclear, US being chosen: %j', (row, unclear) => {
	expect(countryOfRow(row, 'US')).toEqual({ unclear: unclear ?? (expect.any(String) as string) });
});

it.each([
	{ City: 'Paris, France' },
	{ Address: 'London, UK' },
	{ Land: 'BE' },
	{ 'Mailing Country': 'de-AT' },
	{ Market: 'Germany' },
])('asks for a column that makes it plain, and that one does: %j', (row) => {
	expect(countryOfRow(row, 'US').unclear).toContain(ADD_COLUMN);
	expect(countryOfRow({ ...row, Country: 'FR' }, 'US')).toEqual({
		country: 'FR',
		column: 'Country',
	});
});

it('takes a code beside the number in an object for that of its country', () => {
	const read = (code: string) => countryOfRow({ phone: { code, number: '7400 123456' } }, 'IN');
	expect(['44', '+44', 'GB'].map((code) => read(code).country)).toEqual(['GB', 'GB', 'GB']);
	expect(countryOfRow({ code: '44', phone: '7400 123456' }, 'IN')).toEqual({ country: 'IN' });
});

const CALLED = ['Dial Code', 'callingCode', 'Phone Code', 'Tel. Code'].flatMap((column) =>
	['(+44)', "'+44", 'UK +44', 'GB', '+44 (UK)', '＋44', '44.0', '+44 (0)', '+44?'].map(
		(text) => [column, text] as const,
	),
);

it.each(CALLED)('reads a calling code in whatever spelling: %s %s', (column, text) => {
	expect(countryOfRow({ [column]: text }, 'DE').unclear).toContain(column);
	if (!text.endsWith('?'))
		expect(countryOfRow({ [column]: text }, 'GB')).toEqual({ country: 'GB' });
});

it.each([
	...['Mr', 'Ms', '0171'].map((text) => ({ Prefix: text })),
	...[{ 'Promo Code': '+20 OFF' }, { 'Plus Code': 'V75V+8Q Bonn' }, { 'Mobile Code': '1511' }],
	...[{ DDI: '+49 30 1234567' }, { 'Dial Code': 'n/a' }, { CC: 'bob@example.com' }],
	{ 'Timezone Code': 'UTC +01:00' },
])('takes nothing else for one: %j', (row) => {
	expect(countryOfRow(row, 'DE')).toEqual({ country: 'DE' });
});

it('takes a state of Germany in Land for no country, unless one was chosen that has none', () => {
	const read = (Land: string, chosen?: string) => countryOfRow({ Land }, chosen as 'DE');
	expect([read('BE', 'DE'), read('BE'), read('NW', 'DE'), read('BE', 'NL')]).toEqual([
		{ unclear: `'Land' says "BE" while Default Country is DE. ${ADD_COLUMN}` },
		{ unclear: `'Land' says "BE". ${ADD_COLUMN}` },
		{ country: 'DE' },
		{ country: 'BE', column: 'Land' },
	]);
});

it.each(
	`Baden-Württemberg, Bayern, Berlin, Brandenburg, Bremen, Hamburg, Hessen, Mecklenburg-Vorpommern, Niedersachsen, Nordrhein-Westfalen,
	Rheinland-Pfalz, Saarland, Sachsen, Sachsen-Anhalt, Schleswig-Holstein, Thüringen, NRW, Freistaat Bayern`.split(
		/,\s+/,
	),
)('takes %s in Land for a state of Germany', (Land) => {
	expect(countryOfRow({ Land }, 'DE')).toEqual({ country: 'DE' });
});

it.each([
	['DE', { billing: { phone: '415 555 0101', country: 'DE' }, shipping: { country: 'US' } }],
	['DE', { lead_owner: { phone: '415 555 0101', country: 'DE' } }],
	[undefined, { billing: { country: 'DE' }, phone: '415 555 0101' }],
	[undefined, { shipping_address: { country: 'DE' }, phone: '415 555 0101' }],
	[undefined, { address: { country: 'DE' }, shipping: { phone: '415 555 0101', country: 'US' } }],
	[undefined, { country: 'US', spouse: { phone: '415 555 0101', country: 'DE' } }],
])('what contains the number says where it is, %s, US being chosen: %j', (country, row) => {
	expect(countryOfRow([row, ...holdersOf(row, 4155550101)], 'US').country).toBe(country);
});
