import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** Ms of processor time that a process has used in all its threads; NaN where the system does not tell (not Linux). */
export function cpuTime(pid: number): number {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The name of the process may hold spaces; what follows its bracket does not.
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
	} catch {
		return NaN;
	}
}
