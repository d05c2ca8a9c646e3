import { readFileSync, writeFileSync } from 'node:fs';

/** The resident memory of a process in MB: now, and at its highest since `forget`; undefined where the system does not tell (not Linux). */
export interface PeakMemory {
	now: () => number | undefined;
	peak: () => number | undefined;
	forget: () => void;
}

/** Watches the memory of a process through Linux's /proc. */
export function peakMemory(pid: number): PeakMemory {
	const read = (name: string): number | undefined => {
		try {
			const status = readFileSync(`/proc/${pid}/status`, 'utf8');
			const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
			return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
		} catch {
			return undefined;
		}
	};
	return {
		now: () => read('VmRSS'),
		peak: () => read('VmHWM'),
		forget: () => {
			try {
				writeFileSync(`/proc/${pid}/clear_refs`, '5');
			} catch {
				// Then the peak is that of the whole life of the process.
			}
		},
	};
}
