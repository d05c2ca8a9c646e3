/** Remembers nothing: else only the first test would reach what makes a value, and seem to be the only one that could notice a mutant there. */
export default (make) => make;
