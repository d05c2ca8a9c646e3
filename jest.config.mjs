/**
 * Unit tests need nothing of n8n; engine tests run the nodes in n8n's own WorkflowExecute; reliability is the fault
 * matrix, which `npm run test:matrix` runs.
 */
const project = (name) => ({
	displayName: name,
	rootDir: '.',
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	transform: {
		'/matchesEntirely\\.js$': '<rootDir>/test/support/keptPatterns.cjs',
		'\\.m?[jt]s$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
		],
	},
	// nock comes as ES modules only, and matchesEntirely is changed by the build.
	transformIgnorePatterns: [
		'/node_modules/(?!(libphonenumber-js/.*/matchesEntirely\\.js$|(nock|@mswjs/interceptors|rettime|until-async|is-node-process|outvariant|strict-event-emitter|@open-draft)/))',
	],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
	testEnvironment: 'node',
	// The hosts share a package name, and mutation tests work on copies of the checkout.
	modulePathIgnorePatterns: ['<rootDir>/tools/host/versions', '<rootDir>/test-results/'],
	setupFilesAfterEnv: ['<rootDir>/test/support/endIntervals.mjs'],
	setupFiles: ['<rootDir>/test/support/quiet.mjs', '<rootDir>/test/support/propertyRuns.mjs'],
});

export default {
	projects: [
		project('unit'),
		project('engine'),
		{ ...project('reliability'), globalSetup: '<rootDir>/test/reliability/identities.mts' },
	],
	// One more than two processors have: some files wait for a sandbox most of the time.
	maxWorkers: 3,
	// A busy machine is no failure.
	testTimeout: 20_000,
	testSequencer: '<rootDir>/test/support/slowFirst.mjs',
};
