import { readCountry } from '../../../src/core/phoneCountry';

it.each([
	...[
		['US', 'US'],
		['us', 'US'],
		[' de ', 'DE'],
		['UK', 'GB'],
		['GB', 'GB'],
		['USA', 'US'],
		['DEU', 'DE'],
	],
	...[
		['United States', 'US'],
		['Germany', 'DE'],
		['Deutschland', 'DE'],
		['Allemagne', 'DE'],
		['Alemania', 'DE'],
		['Alemanha', 'DE'],
		['Germania', 'DE'],
		['Duitsland', 'DE'],
	],
	...[
		['Österreich', 'AT'],
		['OSTERREICH', 'AT'],
		['India', 'IN'],
		['Brasil', 'BR'],
		['México', 'MX'],
		['Great Britain', 'GB'],
		['The Netherlands', 'NL'],
	],
	...[
		['+91', 'IN'],
		['0049', 'DE'],
		['49', 'DE'],
		[91, 'IN'],
		['+1', 'US'],
		['+44', 'GB'],
		['(+33)', 'FR'],
		['India (+91)', 'IN'],
		['Canada +1', 'CA'],
	],
])('reads the country %j as %s', (value, country) => {
	expect(readCountry(value)).toBe(country);
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
