import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../checks/check.mts';
import type { Figures } from './rounds.mts';

/** Loads the compiled classes in a new process that has loaded what n8n has loaded before: n8n-workflow, and zod. */
const program = `
const path = require('node:path');
const load = (...names) => require(path.join(process.argv[1], 'dist', ...names));
require(require.resolve('n8n-workflow', { paths: [process.argv[1]] }));
require(require.resolve('zod/v4', { paths: [process.argv[1]] }));
const before = process.threadCpuUsage();
const start = performance.now();
const { ConversationDesk } = load('nodes', 'ConversationDesk', 'ConversationDesk.node.js');
const { ConversationDeskTrigger } = load('nodes', 'ConversationDesk', 'ConversationDeskTrigger.node.js');
const { ConversationDeskApi } = load('credentials', 'ConversationDeskApi.credentials.js');
const described = [new ConversationDesk().description, new ConversationDeskTrigger().description];
new ConversationDeskApi();
const ms = performance.now() - start;
const { user, system } = process.threadCpuUsage(before);
const [action, trigger] = described.map((each) => Buffer.byteLength(JSON.stringify(each)) / 1000);
console.log(JSON.stringify({ ms, cpu: (user + system) / 1000, actionKB: action, triggerKB: trigger }));
`;

/** Loads the package once as n8n does at its start. */
export function loadOnce(): Figures {
	const text = execFileSync(process.execPath, ['-e', program, root], { cwd: join(root) });
	return JSON.parse(String(text)) as Figures;
}
