import { customerBatch } from './batch';

/** Creates customers in batches. */
export const createBatch = customerBatch('insert', ['accepted']);
