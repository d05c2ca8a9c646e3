import { uniqBy } from 'lodash';
import type { Client } from '../../core/client';
import { mapConcurrent } from '../../core/concurrency';
import { createPicker } from '../../core/output';
import { createReader, type PageSettings } from '../service/fetchPage';
import { answerLookup, planLookups, type Lookup } from './lookups';
import { MAX_PAGE_SIZE, type Question } from './query';
import type { ReadResult } from './readPages';

/** The settings of reads without options in the panel. */
export const FAST = { offset: 0, pageSize: MAX_PAGE_SIZE, parallelRequests: 20 } as const;

/** Answers all searches in their order. Equal ones, and those that differ in one value, share requests. `offset` skips tickets. */
export async function answerAll(
	questions: readonly Question[],
	{ offset, ...settings }: PageSettings & { readonly offset: number },
	client: Client,
): Promise<{ readonly answers: readonly ReadResult[]; readonly requests: number }> {
	const reader = createReader(client, settings);
	const distinct = uniqBy(questions, (question) => JSON.stringify(question));
	// An offset counts the tickets of one search only.
	const isShareable = offset === 0 && distinct.length > 1;
	const lookups: readonly Lookup[] = isShareable
		? planLookups(distinct)
		: distinct.map((question) => ({ questions: [question] }));
	const answered = await mapConcurrent(
		lookups,
		reader.concurrency,
		async (lookup) => await answerLookup(lookup, offset, reader),
	);
	const results = new Map(
		answered.flat().map(([question, result]) => [JSON.stringify(question), result]),
	);
	const answers = questions.map((question) => {
		const result = results.get(JSON.stringify(question)) ?? { rows: [] };
		const { select } = question.query;
		// Pages also contain columns for checks, which are left out here.
		if (select.length > 0) return { ...result, rows: result.rows.map(createPicker(select)) };
		// A copy, because a later node may change the item of a ticket that belongs to several rows.
		return questions.length > 1
			? { ...result, rows: result.rows.map((row) => ({ ...row })) }
			: result;
	});
	return { answers, requests: reader.run.requests };
}
