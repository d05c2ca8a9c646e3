import { examples, importExample, mustSucceed } from './demo/examples.mts';
import type { Example } from './demo/examples.mts';
import { startDesk } from './demo/desk.mts';
import type { Desk } from './demo/desk.mts';
import { figuresOf } from './demo/figures.mts';
import type { Figures } from './demo/figures.mts';
import { filterLine, keepOpen } from './demo/talk.mts';
import { drawReasons, drawTable } from './demo/table.mts';
import { ownService, sandboxTarget } from './demo/target.mts';
import { differences } from './demo/verify.mts';

const start = Date.now();
const once = process.argv.includes('--once');

/** Prints one line of progress with the seconds since the start. */
const say = (line: string) => {
	const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${line}`);
};

/** The examples to run: without the sandbox, phones ring only when asked for. */
function chosen(own: boolean, agentId: string): Example[] {
	if (own) say('The customers of the example are stored there; they are invented.');
	if (!own || (agentId !== '' && process.argv.includes('--call'))) return Object.values(examples);
	say('The campaign is left out: on a real service it rings phones.');
	say('To run it, set CONVERSATION_DESK_AGENT_ID and add --call.');
	return [examples.tickets, examples.customers];
}

async function run(desk: Desk, wanted: readonly Example[]): Promise<Figures[]> {
	const ids: string[] = [];
	for (const example of Object.values(examples)) {
		const isWanted = wanted.includes(example);
		// A campaign that is only looked at stays a dry run.
		const id = await importExample(desk, example, { dryRun: !isWanted });
		if (isWanted) ids.push(id);
	}
	say('Imported the three example workflows with that credential.');
	const all: Figures[] = [];
	for (const [index, example] of wanted.entries()) {
		const execution = await desk.n8n.rest.runWorkflow(ids[index] ?? '', { timeoutMs: 300_000 });
		all.push(figuresOf(mustSucceed(execution, example), example, desk.files));
		say(`Ran ${example.file}.${filterLine(execution, example)}`);
	}
	return all;
}

/** Shows what happened and says whether the sandbox counted the same. */
function conclude({ target }: Desk, all: readonly Figures[]): boolean {
	const control = target.sandbox?.control;
	const counts = control?.counts();
	console.log(`\n${drawTable(all, ({ example }) => counts?.requests[example.operation])}\n`);
	console.log(`${drawReasons(all)}\n`);
	if (!control) {
		console.log('How many requests arrived is not known: a real service does not say.');
		return true;
	}
	const found = differences(all, control);
	if (found.length === 0) console.log('The sandbox counted the same: nothing twice, nothing lost.');
	else console.error(`The sandbox counted something else:\n  ${found.join('\n  ')}`);
	return found.length === 0;
}

try {
	const own = ownService();
	say(
		own ? `The service is ${own.access['baseUrl']}.` : 'The service is the sandbox: 5,000 tickets.',
	);
	say('A real n8n is started in a new folder, with this package as npm would publish it.');
	const wanted = chosen(own !== undefined, own?.agentId ?? '');
	const desk = await startDesk(own ?? (await sandboxTarget({ tickets: 5_000 })), say);
	say('Made an owner and a credential.');
	const right = conclude(desk, await run(desk, wanted));
	process.exitCode = right ? 0 : 1;
	if (once || !right) await desk.stop();
	else keepOpen(desk, 'the three workflows and their runs');
	if (once) say('Done.');
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
}
