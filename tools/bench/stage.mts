import type { Certificate } from '../certificate.mts';
import { startHost } from './host.mts';
import type { BenchHost } from './host.mts';
import type { Setting } from './scenario.mts';
import { startService } from './service.mts';
import type { BenchService } from './service.mts';

/** A service and an n8n that knows its credential. */
export interface Stage {
	readonly service: BenchService;
	readonly host: BenchHost;
	readonly stop: () => Promise<void>;
}

/** Starts both; over TLS where there is a certificate, which n8n then trusts. */
export async function startStage(setting: Setting, certificate?: Certificate): Promise<Stage> {
	const service = await startService(certificate);
	const env = certificate && { NODE_EXTRA_CA_CERTS: certificate.certFile };
	const host = await startHost(setting.tarball, env);
	await host.useCredential(service.access);
	return {
		service,
		host,
		stop: async () => {
			await host.stop();
			await service.stop();
		},
	};
}
