import { countryParameter, readCountry } from '../../../src/core/country';

it.each([
	['DE', 'DE'],
	[' us ', 'US'],
	['Germany', 'DE'],
	['united states', 'US'],
	['USA', 'US'],
	['UK', 'GB'],
	['United Kingdom', 'GB'],
	['T\u00fcrkiye', 'TR'],
	["Cote d'Ivoire", 'CI'],
])('reads %s as %s', (entered, code) => {
	expect(readCountry(entered)).toBe(code);
});

it.each(['Deutschland', '+49', '49', 'XX', 'Berlin', 'constructor', ''])(
	'knows no country %j',
	(entered) => {
		expect(readCountry(entered)).toBeUndefined();
	},
);

it('is none where it is blank, and a problem with its value where it is no country', () => {
	for (const blank of ['', ' ', null, undefined])
		expect(countryParameter.parse(blank)).toBeUndefined();
	expect(countryParameter.safeParse('Narnia').error?.issues[0]?.message).toMatch(
		/^"Narnia" is not a country/,
	);
	expect(countryParameter.safeParse(49).success).toBe(false);
});
