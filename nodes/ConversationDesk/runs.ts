/** All that a run or a list of the panel needs: one file, loaded with the first of them. */
export { execute } from './execute';
export * as lists from './lists';
export { runPoll } from './poll';
