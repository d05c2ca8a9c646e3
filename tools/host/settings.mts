import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { npmEnvironment } from '../step.mjs';

/** The settings of one n8n. */
export interface HostSettings {
	/** The folder in which n8n is installed. */
	dir: string;
	userFolder: string;
	port: number;
	brokerPort: number;
	/** Folders (separated by `;`) that n8n's file nodes may read and write. */
	files?: string | undefined;
}

/** The key of every n8n of this process, so one can open the user folder of another. */
const encryptionKey = randomBytes(32).toString('hex');

const foreign =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|NODES_|WEBHOOK_URL$|GENERIC_|NODE_ENV$|NODE_OPTIONS$)/;

/** Returns the environment of an n8n that only this machine reaches; n8n settings of the caller are left out. */
export function hostEnvironment(settings: HostSettings): Record<string, string | undefined> {
	const inherited = Object.entries(npmEnvironment()).filter(([name]) => !foreign.test(name));
	return {
		...Object.fromEntries(inherited),
		PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
		NO_PROXY: '127.0.0.1,localhost',
		no_proxy: '127.0.0.1,localhost',
		TZ: 'UTC',
		// It makes later starts faster.
		NODE_COMPILE_CACHE: join(settings.dir, '.compile-cache'),
		GENERIC_TIMEZONE: 'UTC',
		N8N_USER_FOLDER: settings.userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(settings.port),
		// A worker of queue mode has no other port.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(settings.port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		N8N_RUNNERS_BROKER_PORT: String(settings.brokerPort),
		N8N_ENCRYPTION_KEY: encryptionKey,
		N8N_RESTRICT_FILE_ACCESS_TO: settings.files ?? settings.userFolder,
		N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
		N8N_SECURE_COOKIE: 'false',
		N8N_PYTHON_ENABLED: 'false',
		...quiet,
		N8N_DISABLED_MODULES: findOnlineModule(settings.dir),
	};
}

/** Returns the module that needs the internet, if this version has it; others reject its name. */
function findOnlineModule(dir: string): string {
	const name = 'mcp-registry';
	return existsSync(join(dir, 'node_modules', 'n8n', 'dist', 'modules', name)) ? name : '';
}

const quiet = {
	N8N_LOG_OUTPUT: 'console',
	N8N_LOG_LEVEL: 'info',
	NO_COLOR: '1',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_AI_GATEWAY_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
};
