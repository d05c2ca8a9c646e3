import { readCountry } from '../../../src/core/phoneCountry';

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
