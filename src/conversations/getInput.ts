import { z } from 'zod/v4';
import { numberOf, timeout, wholeNumber, yesOrNo } from '../core/fields';
import { uuid } from '../core/uuid';
import { finishedStates } from './finished';

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const AFTER_CONVERSATIONS = /\/conversations\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;

/** The ID in a web address: the one behind `/conversations/`, or else the last one. */
function idIn(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*https?:\/\//i.test(value)) return value;
	const [address = ''] = value.split(/[?#]/);
	return AFTER_CONVERSATIONS.exec(address)?.[1] ?? address.match(UUIDS)?.at(-1) ?? value;
}

const MINUTE = 60_000;
const LONGEST_WAIT = 1440;

const MINUTES = `must be a number of minutes above 0, at most ${LONGEST_WAIT}. To read without waiting, turn Wait Until Finished off`;

/** How long to wait: minutes as entered, ms as read. */
const maximumWait = z
	.preprocess(
		(value) => (typeof value === 'string' ? Number(value) : value),
		z.number({ error: MINUTES }).gt(0, { error: MINUTES }).max(LONGEST_WAIT, { error: MINUTES }),
	)
	.transform((minutes) => minutes * MINUTE);

/** A pause between two looks: seconds as entered, ms as read. */
const pause = numberOf('seconds', 0.1, 3600).transform((seconds) => seconds * 1000);

/** The parameters of one row of Conversation > Get. */
export const input = z.looseObject({
	conversationId: z.preprocess(idIn, uuid),
	simplify: yesOrNo.default(true),
	waitUntilFinished: yesOrNo.default(false),
	options: z
		.looseObject({
			finishedStates: finishedStates.prefault('completed'),
			firstPause: pause.prefault(5),
			ifNotFinished: z
				.enum(['return', 'fail'], { error: 'must be return or fail' })
				.default('return'),
			longestPause: pause.prefault(60),
			maximumWait: maximumWait.prefault(10),
			parallelRequests: wholeNumber(1, 20).default(5),
			timeout: timeout.prefault(120),
		})
		.prefault({}),
});

/** The checked parameters of one row. */
export type Input = z.infer<typeof input>;
