import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory in MB. */
export interface Resident {
	readonly n8n: number;
	/** What n8n started: its task runner, in which Code nodes run. */
	readonly others: number;
}

/** The resident memory of an n8n and of what it started; Linux only. */
export interface GroupMemory {
	/** The highest of each since the last call of this. */
	peak: () => Resident;
	stop: () => void;
}

const EVERY_MS = 200;
const nothing: Resident = { n8n: 0, others: 0 };

/** Looks at the memory of a process group several times a second; `pid` is its first process. */
export function watchMemory(pid: number): GroupMemory {
	let highest = nothing;
	const look = () => {
		const now = residentOf(pid);
		highest = {
			n8n: Math.max(highest.n8n, now.n8n),
			others: Math.max(highest.others, now.others),
		};
	};
	const timer = setInterval(look, EVERY_MS);
	timer.unref();
	return {
		peak: () => {
			look();
			const found = highest;
			highest = nothing;
			return found;
		},
		stop: () => clearInterval(timer),
	};
}

function residentOf(group: number): Resident {
	let { n8n, others } = nothing;
	for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
		const size = sizeIn(id, group);
		if (Number(id) === group) n8n += size;
		else others += size;
	}
	return { n8n, others };
}

function sizeIn(id: string, group: number): number {
	try {
		// After the name in brackets come the state, the parent and the group.
		const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
		const [, , own] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		if (Number(own) !== group) return 0;
		const status = readFileSync(`/proc/${id}/status`, 'utf8');
		return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
	} catch {
		return 0; // It has just ended.
	}
}
