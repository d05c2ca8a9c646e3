/** Exports the code that n8n loads with the first run or list, because it loads every node at its start. */
export { execute } from './execute';
export * as lists from './lists';
export { runPoll } from './poll';
