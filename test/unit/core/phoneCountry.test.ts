import { countryOfRow, readCountry } from '../../../src/core/phoneCountry';

it.each([
	['US', ['US', 'us', 'USA', 'United States', '+1']],
	['GB', ['UK', 'GB', 'Great Britain', '+44']],
	['DE', [' de ', 'DEU', 'Germany', 'Deutschland', 'Allemagne', 'Alemania', 'Alemanha']],
	['DE', ['Germania', 'Duitsland', '0049', '49']],
	['AT', ['Österreich', 'OSTERREICH']],
	['NL', ['The Netherlands']],
	['FR', ['(+33)']],
	['BR', ['Brasil']],
	['MX', ['México']],
	['IN', ['India', '+91', 91, 'India (+91)']],
	['CA', ['Canada +1']],
])('reads the country %s in each of %j', (country, values) => {
	expect(values.filter((value) => readCountry(value) !== country)).toEqual([]);
});

it.each([
	'',
	'XX',
	'+999',
	'800',
	'Utopia',
	'Berlin',
	'Germany (+33)',
	null,
	undefined,
	true,
	{},
	['US'],
	'12345',
	'__proto__',
])('reads no country in %j', (value) => {
	expect(readCountry(value)).toBeUndefined();
});

it.each([
	['US', { 'Area Code': '212', 'Store code': '44', zip_code: '39' }],
	['US', { phone_country: 'US', Country: 'United States' }],
	['US', { items: [{ country: 'US' }], phone: '1' }],
	['DE', { Country: 'Germany' }],
	['DE', { 'Dial code': '49', country: 'DE' }],
	['DE', { contact: { address: { country: 'Germany' } } }],
	['DE', { country: 'Germany', owner: { country: 'US' } }],
	[null, { owner: { country: 'Germany' } }],
	[null, { items: [{ country: 'Germany' }] }],
	[null, { phone_country: 'US', country: 'Germany' }],
	[null, { 'Dial code': '+1', Country: 'Germany' }],
	[null, { phone_country_code: '49', country: 'US' }],
	[null, { 'Billing Country': 'Germany', 'Shipping Country': 'US' }],
])('takes numbers to be from %s, US being chosen, beside %j', (country, row) => {
	expect(countryOfRow(row, 'US')).toBe(country);
});
