import { good } from '../support/credential';
import { start } from '../support/runNode';
import { forget, serve } from '../support/service';

afterEach(forget);

describe('a credential with an expression', () => {
	const other = '8b0c1f6e-2f4d-4c1a-9a53-1d2e3f405061';
	const rowsOf = (...workspaces: string[]) =>
		workspaces.map((workspace, i) => ({ phone: `+1415555010${i}`, workspace }));
	const parameters = {
		resource: 'conversation',
		operation: 'create',
		dryRun: false,
		agentId: '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
		toPhoneNumber: '={{ $json.phone }}',
	};
	const credential = { ...good, workspaceId: '={{ $json.workspace }}' };

	it('that gives another workspace in a later row is refused before anything is sent', async () => {
		const received = serve(() => ({ status: 200 }));
		const rows = rowsOf(good.workspaceId, good.workspaceId, other);
		const { error } = await start({ rows, parameters, credential }).done;
		expect(error?.message).toContain(
			'is different in row 3, because a field of it is an expression',
		);
		expect(received).toEqual([]);
	});

	it('that gives the same for all rows is used', async () => {
		const received = serve(() => ({ status: 200 }));
		const rows = rowsOf(other, other);
		const { main } = await start({ rows, parameters, credential }).done;
		expect(main).toHaveLength(2);
		expect(received[0]?.headers['x-workspace-id']).toBe(other);
	});
});
