import { runMatrix } from './matrix';
import { writes } from './subjects';

// The one test double: time does not have to pass for real while the node waits.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.requireActual<typeof import('./edge.mts')>('./edge.mts').sleep,
}));

runMatrix('writes', writes);
