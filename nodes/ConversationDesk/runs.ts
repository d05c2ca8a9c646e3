/** Exports the code of runs and lists, which n8n loads when the first one starts. */
export { execute } from './execute';
export * as lists from './lists';
export { runPoll } from './poll';
