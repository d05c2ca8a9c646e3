/** Unit tests need nothing of n8n; engine tests run the nodes in n8n's own WorkflowExecute. */
const project = (name) => ({
	displayName: name,
	rootDir: '.',
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	transform: {
		'\\.m?ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
	testEnvironment: 'node',
});

export default { projects: [project('unit'), project('engine')], maxWorkers: 2 };
