// n8n's engine checks its SSH connections once a minute, forever. Each such interval would keep all modules of its test
// file in memory. The workers of jest would grow with every file and end late.
const { setInterval: begin } = globalThis;
const intervals = [];

globalThis.setInterval = (...all) => {
	const interval = begin(...all);
	intervals.push(interval);
	return interval;
};

afterAll(() => intervals.splice(0).forEach(clearInterval));
