import { create } from './conversations/create';
import { get } from './conversations/get';
import type { Operation } from './core/operation';
import { createBatch } from './customers/createBatch';
import { get as getTicket } from './tickets/get';
import { search } from './tickets/search';

/** Everything the node can do: resource, then operation. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
	conversation: { create, get },
	customer: { createBatch },
	ticket: { get: getTicket, search },
};
