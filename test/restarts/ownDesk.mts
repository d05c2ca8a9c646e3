import { after } from 'node:test';
import type { Control } from '../../sandbox/control.mts';
import { startDesk } from '../../tools/demo/desk.mts';
import type { Desk } from '../../tools/demo/desk.mts';
import { sandboxTarget } from '../../tools/demo/target.mts';
import { startN8n } from '../../tools/host/n8n.mts';
import type { N8n } from '../../tools/host/n8n.mts';

/** An n8n and a sandbox for one test, which may end that n8n and start it again. */
export interface OwnDesk {
	readonly desk: Desk;
	readonly control: Control;
	/** Starts n8n again with what it has stored. */
	startAgain(): Promise<N8n>;
}

/** Starts them; they end after the test. */
export async function ownDesk(tickets = 0): Promise<OwnDesk> {
	const target = await sandboxTarget({ tickets });
	const desk = await startDesk(target, console.error);
	after(() => desk.stop());
	const { userFolder, files } = desk;
	return {
		desk,
		control: target.sandbox.control,
		startAgain: async () => {
			const again = await startN8n({ userFolder, files });
			after(() => again.stop());
			await again.rest.signIn();
			return again;
		},
	};
}
