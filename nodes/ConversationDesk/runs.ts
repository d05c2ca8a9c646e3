/** All that a run, a list of the panel or the test of a credential needs: one file, loaded with the first of them. */
export { entry, operations, unknownOperation } from '../../src/operations';
export { testCredential } from './credentialTest';
export { getCustomerFields } from './customerMapper';
export { execute } from './execute';
export * as lists from './lists';
export { runPoll } from './poll';
