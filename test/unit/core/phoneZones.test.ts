import { IANAZone } from 'luxon';
import { zonesOfNumber } from '../../../src/core/phone/zones';
import { ZONES } from '../../../src/core/phone/zoneTable';

it('knows only zones that exist', () => {
	const zones = ZONES.split(' ');
	expect(zones.length).toBeGreaterThan(250);
	expect(zones.filter((zone) => !IANAZone.isValidZone(zone))).toEqual([]);
});

it.each([
	['+12125550196', ['America/New_York']],
	['+13035550196', ['America/Denver']],
	['+442079460000', ['Europe/London']],
	['+493012345678', ['Europe/Berlin']],
	['+34928123456', ['Atlantic/Canary']],
	// The area code does not say in which part of its state the number is.
	['+14485550196', ['America/Chicago', 'America/New_York']],
	['+13645550196', ['America/Chicago', 'America/New_York']],
	['+14585550196', ['America/Denver', 'America/Los_Angeles']],
	['+14805550196', ['America/Denver', 'America/Phoenix']],
	// The source has the zone of a neighbor, whose clocks are changed in summer.
	['+213551234567', ['Africa/Algiers']],
	['+212650123456', ['Africa/Casablanca']],
	['+218912345678', ['Africa/Tripoli']],
	['+50581234567', ['America/Managua']],
	['+211977123456', ['Africa/Juba']],
	['+74012123456', ['Europe/Kaliningrad']],
	// A mobile number may be anywhere in its country.
	['+34612345678', ['Atlantic/Canary', 'Europe/Madrid']],
])('places %s in %j', (number, zones) => {
	expect(zonesOfNumber(number)).toEqual(zones);
});

it.each<[string, string, string[]]>([
	['a Russian mobile number', '+79161234567', ['Asia/Kamchatka', 'Europe/Moscow']],
	['an Indonesian mobile number', '+6285211112222', ['Asia/Jakarta', 'Asia/Makassar']],
	['an Australian mobile number', '+61412345678', ['Australia/Perth', 'Australia/Sydney']],
	['a Chilean number', '+56961234567', ['America/Punta_Arenas', 'Pacific/Easter']],
	['a Mexican number', '+528681234567', ['America/Matamoros', 'America/Tijuana']],
	['a mobile number of Recife', '+5581991234567', ['America/Noronha', 'America/Rio_Branco']],
	['a fixed line of Darwin', '+61889812345', ['Australia/Darwin']],
	['a toll-free number', '+18005550199', ['America/New_York', 'Pacific/Guam']],
	['a number with an unknown area code', '+14575550196', ['America/New_York', 'Pacific/Guam']],
	['British Columbia', '+17785550196', ['America/Edmonton', 'America/Fort_Nelson']],
	[
		'an area code on both sides of a border',
		'+12085550196',
		['America/Boise', 'America/Los_Angeles'],
	],
])('leaves open where %s is', (_, number, zones) => {
	expect(zonesOfNumber(number)).toEqual(expect.arrayContaining(zones));
});

it.each(['+80012345678', '+881612345678', '+99912345', ''])('knows no zone of %j', (number) => {
	expect(zonesOfNumber(number)).toBeUndefined();
});
