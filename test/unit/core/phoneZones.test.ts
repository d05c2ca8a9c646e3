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

it.each(['+80012345678', '+881612345678', '+99912345', ''])('knows no zone of %j', (number) => {
	expect(zonesOfNumber(number)).toBeUndefined();
});
