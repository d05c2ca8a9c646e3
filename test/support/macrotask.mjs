/** Resolves when every promise that can settle has settled; timers are for .mjs files only. */
export const macrotask = () => new Promise((resolve) => setImmediate(resolve));
