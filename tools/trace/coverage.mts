import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../checks/check.mts';

/** The functions with a name that a file of `dist` was entered through, by the file's path in `dist`. */
export type Entered = ReadonlyMap<string, readonly string[]>;

/** Says what of `dist` the second of two runs enters: the first one loads files and fills what is computed once. */
export async function enteredBy(work: () => Promise<unknown>): Promise<Entered> {
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
		await work();
		// Taking the counts sets them to zero.
		await session.post('Profiler.takePreciseCoverage');
		await work();
		const { result } = await session.post('Profiler.takePreciseCoverage');
		return new Map(
			result
				.map(({ url, functions }) => [pathInDist(url), functions.filter(wasEntered)] as const)
				.filter(([path, functions]) => isOfRows(path) && functions.length > 0)
				.map(([path, functions]) => [path, functions.map(nameOf).filter(isInSource)]),
		);
	} finally {
		session.disconnect();
	}
}

const wasEntered = ({ ranges }: { ranges: ReadonlyArray<{ count: number }> }): boolean =>
	(ranges[0]?.count ?? 0) > 0;

const nameOf = ({ functionName }: { functionName: string }): string => functionName;

/** The engine and the compiler give names of their own to functions that have none in the source. */
const isInSource = (name: string): boolean => /^(?!__)[\w$]+$/.test(name);

const pathInDist = (url: string): string =>
	url.startsWith('file:') ? relative(join(root, 'dist'), fileURLToPath(url)) : '';

/**
 * Descriptions are for the editor: an execution reads their parameters, and enters none of their functions by itself. `panel` and `runs`
 * only name what is loaded together.
 */
const isOfRows = (path: string): boolean =>
	/^(src|nodes)\//.test(path) && !/\/descriptions\/|\/(panel|runs)\.js$/.test(path);
