import { command } from './checks/check.mts';

// Lets Stryker change the code of the folders of src that arguments name, or of all, and run their tests.

const folders = ['core', 'bulk', 'tickets', 'conversations', 'customers'];

/** Changes the code of a folder and runs tests; returns whether they noticed enough changes. */
async function mutate(folder: string, tests: string): Promise<boolean> {
	process.env['MUTATED_FOLDER'] = folder;
	process.env['MUTATION_TESTS'] = tests;
	return (await command('stryker', ['run'], true)).code === 0;
}

const chosen = process.argv.slice(2);
for (const folder of chosen.length > 0 ? chosen : folders) {
	await mutate(folder, folder);
	// Only changes that the tests of its folder did not notice are tried again, with all tests.
	if (!(await mutate(folder, '*'))) process.exitCode = 1;
}
