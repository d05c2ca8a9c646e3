import { create } from './conversations/create/create';
import { get } from './conversations/get/get';
import type { Operation } from './core/operation';
import { createBatch, upsertBatch } from './customers/batch';
import { getTicket } from './tickets/search/get';
import { search } from './tickets/search/search';

/** All operations of the node: resource, then operation. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
	conversation: { create, get },
	customer: { createBatch, upsertBatch },
	ticket: { get: getTicket, search },
};
