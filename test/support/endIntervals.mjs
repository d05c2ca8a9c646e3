// n8n's engine looks after its SSH connections once a minute, for ever. Each such interval would keep all modules of its
// test file in memory, so that the workers of jest grow with every file and take too long to end.
const { setInterval: begin } = globalThis;
const intervals = [];

globalThis.setInterval = (...all) => {
	const interval = begin(...all);
	intervals.push(interval);
	return interval;
};

afterAll(() => intervals.splice(0).forEach(clearInterval));
