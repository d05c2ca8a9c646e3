import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const packages = createRequire(join(process.cwd(), 'package.json'));
const ts = packages('typescript');
const { createInstrumenter } = packages('istanbul-lib-instrument');

const COVERAGE = '__stepsOfTests';
const loaded = new Map();

/** A module of this package that counts its statements, with those that it imports. */
export function loadCounted(file) {
	const path = resolve(`${file}.ts`);
	const known = loaded.get(path);
	if (known) return known.exports;
	const module = { exports: {} };
	loaded.set(path, module);
	const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), {
		compilerOptions: {
			module: ts.ModuleKind.CommonJS,
			target: ts.ScriptTarget.ES2022,
			esModuleInterop: true,
		},
	});
	const instrumenter = createInstrumenter({ coverageVariable: COVERAGE, compact: false });
	const code = instrumenter.instrumentSync(outputText, path);
	const load = (name) =>
		name.startsWith('.') ? loadCounted(join(dirname(path), name)) : packages(name);
	new Function('require', 'module', 'exports', code)(load, module, module.exports);
	return module.exports;
}

const total = () =>
	Object.values(new Function('return this')()[COVERAGE] ?? {})
		.flatMap(({ s }) => Object.values(s))
		.reduce((sum, count) => sum + count, 0);

/** How many statements of counted modules are executed while something runs; nothing of it depends on time. */
export function countSteps(run) {
	const before = total();
	run();
	return total() - before;
}

/** What makes a pattern within a function of the package, where it may be made of data. */
export function patternsMadeLate() {
	const files = ['src', 'nodes', 'credentials'].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(folder, name)),
	);
	return files.flatMap((file) => {
		const source = ts.createSourceFile(
			file,
			readFileSync(file, 'utf8'),
			ts.ScriptTarget.Latest,
			true,
		);
		const found = [];
		const visit = (node, isLate) => {
			const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
			if (isLate && isMade && node.expression.getText() === 'RegExp')
				found.push(`${file}: ${node.getText()}`);
			ts.forEachChild(node, (child) => visit(child, isLate || ts.isFunctionLike(node)));
		};
		visit(source, false);
		return found;
	});
}
