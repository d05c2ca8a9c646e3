import type { Services } from './services.mts';

/** Returns the settings of queue mode, which are the same for the main process and every worker. */
export function queueEnvironment(
	{ redis, postgres }: Services,
	name: string,
): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		QUEUE_BULL_PREFIX: name,
		N8N_REDIS_KEY_PREFIX: name,
		QUEUE_BULL_REDIS_HOST: redis.hostname,
		QUEUE_BULL_REDIS_PORT: redis.port || '6379',
		QUEUE_BULL_REDIS_DB: redis.pathname.slice(1) || '0',
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(redis.password),
		// A dead worker is noticed within seconds instead of minutes.
		QUEUE_WORKER_LOCK_DURATION: '10000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
		QUEUE_WORKER_STALLED_INTERVAL: '3000',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.hostname,
		DB_POSTGRESDB_PORT: postgres.port || '5432',
		DB_POSTGRESDB_USER: decodeURIComponent(postgres.username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(postgres.password),
		DB_POSTGRESDB_DATABASE: name,
	};
}
