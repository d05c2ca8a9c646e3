import { z } from 'zod/v4';
import { create } from './conversations/create/create';
import { get } from './conversations/get/get';
import type { Problem } from './core/failures';
import type { Operation } from './core/operation';
import { invalidRun } from './core/operation';
import { createBatch, upsertBatch } from './customers/batch';
import { getTicket as getTicket } from './tickets/search/get';
import { search } from './tickets/search/search';

/** All operations of the node: resource, then operation. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
	conversation: { create, get },
	customer: { createBatch, upsertBatch },
	ticket: { get: getTicket, search },
};

const UNKNOWN: Problem = {
	path: ['operation'],
	reason: 'is not known. Choose a resource and an operation',
};

/** Replaces an operation that does not exist, so each row gets an error. */
export const unknownOperation: Operation = {
	output: z.object({}),
	settings: z.object({}),
	rowParameters: [],
	run: async ({ rows }) => invalidRun(rows, [UNKNOWN]),
};
