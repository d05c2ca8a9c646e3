import { reportTotal } from './checks/check.mts';
import { listTestFiles, runNodeTests } from './checks/testRuns.mts';
import { ensureHost } from './host/install.mts';
import { findObstacles, queueServices } from '../test/queue/services.mts';

const obstacles = await findObstacles(queueServices());
if (obstacles.length === 0) {
	await ensureHost();
	// The test that searches for secrets is the last by its name.
	const files = await listTestFiles('queue');
	await reportTotal('queue', [await runNodeTests({ name: 'queue', files, isShown: true })]);
} else {
	console.log(`SKIPPED: the tests of queue mode, because ${obstacles.join(' and ')}.`);
	// CI provides both services, so there a skip is a failure.
	const failed = process.env['CONVERSATION_DESK_QUEUE'] === 'required' ? 1 : 0;
	await reportTotal('queue', [{ passed: 0, failed }]);
}
