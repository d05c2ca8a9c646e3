import { parseArgs } from 'node:util';
import { playRounds } from './bench/question.mts';
import { conversationQuestions } from './bench/questions/conversations.mts';
import { customerQuestions } from './bench/questions/customers.mts';
import { ownWorkQuestion } from './bench/questions/ownWork.mts';
import { ticketQuestions } from './bench/questions/tickets.mts';
import { describeRatio, storeTrial } from './bench/report.mts';

const questions = [
	...ticketQuestions,
	...customerQuestions,
	...conversationQuestions,
	ownWorkQuestion,
];
const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		rounds: { type: 'string', default: '5' },
		quick: { type: 'boolean', default: false },
	},
});
const letters = positionals.join('').toUpperCase();
const chosen = questions.filter(({ letter }) => letters === '' || letters.includes(letter));
const count = Number(values.rounds);
if (chosen.length === 0 || !(count >= 1))
	throw new Error('Usage: npm run bench -- [S W L B E G C R] [--rounds 5] [--quick]');

const report = (line: string) => console.error(line);
// Small sizes are for trying the benchmark, so nothing is written.
const size = (full: number) => (values.quick ? Math.ceil(full / 20) : full);

for (const { letter, trials } of chosen) {
	for (const trial of trials) {
		report(`${letter}: ${trial.title}`);
		const { contenders, stop } = await trial.prepare(size);
		const rounds = await playRounds(contenders, count, report);
		await stop?.();
		for (const ratio of trial.ratios) report(`  ${describeRatio(ratio, rounds).join(' | ')}`);
		if (!values.quick) await storeTrial(trial, rounds, questions);
	}
}
