/** Lets calls wait for each other: each starts when those before it have ended, well or not. */
export type Turn = <R>(call: () => Promise<R>) => Promise<R>;

/** Makes turns by name; calls under one name never overlap, and a name is forgotten when nobody waits under it. */
export function createTurns(): { of(name: string): Turn; names(): number } {
	const last = new Map<string, Promise<void>>();
	return {
		of: (name) => async (call) => {
			const done = (last.get(name) ?? Promise.resolve()).then(call);
			const ended = done.then(nothing, nothing);
			last.set(name, ended);
			void ended.then(() => {
				if (last.get(name) === ended) last.delete(name);
			});
			return await done;
		},
		names: () => last.size,
	};
}

const nothing = (): void => undefined;
