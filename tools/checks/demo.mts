import { command, verdict } from './check.mts';
import type { Check } from './check.mts';

/** Lines of the table that the demo prints, and its last sentence. */
const EXPECTED = [
	/ticket-export\.json 1 8 - - - - tickets\.csv \(\d{3}\)/,
	/customer-sync\.json 500 1 431 68 0 1 customers-accepted\.csv \(431\)/,
	/outbound-campaign\.json 110 3 60 13 0 37 calls-started\.xlsx \(60\)/,
	/The sandbox counted the same: nothing twice, nothing lost\./,
];

/** Runs the demo as a user does. */
export const demoCheck: Check = {
	name: 'the demo and its table (npm run demo)',
	work: async () => {
		const { code, output } = await command(process.execPath, ['tools/demo.mts']);
		const printed = output.replace(/ +/g, ' ');
		const isRight = code === 0 && EXPECTED.every((line) => line.test(printed));
		return verdict(isRight ? undefined : output);
	},
};
