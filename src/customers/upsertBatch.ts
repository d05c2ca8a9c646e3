import { customerBatch } from './batch';

/** Creates customers in batches, and updates those that the service has. */
export const upsertBatch = customerBatch('upsert', ['accepted', 'unchanged']);
