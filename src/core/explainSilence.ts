import { isRead } from './client';
import type { Explanation } from './explain';
import type { ConnectionError } from './failures';

/** Puts into words why no reply came, and whether something may have been sent. */
export function explainSilence(error: ConnectionError): Explanation {
	const explanation = explainAny(error);
	// Nobody has to look for a request that only reads.
	return explanation.advice === LOOK && isRead(error.call)
		? { ...explanation, advice: 'Try again later; reading changes nothing' }
		: explanation;
}

const LOOK = 'Check in the service whether it arrived before sending it again';

function explainAny({ code, sent, message, call }: ConnectionError): Explanation {
	const known = silences[code];
	if (known) return known;
	if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
		return {
			message: `The connection to the service is not trusted (${code}): ${message}`,
			advice: 'Check Base URL in the credential, or ask your administrator about its certificate',
		};
	}
	return sent === 'no'
		? {
				message: `The service could not be reached (${code}); nothing was sent`,
				advice: 'Check Base URL in the credential and the network of this n8n',
			}
		: {
				message: `The connection broke before a reply came (${code}, ${call}); the service may have received the request`,
				advice: LOOK,
			};
}

const REFUSED = {
	message: 'Nothing answers at the address of the service (ECONNREFUSED); nothing was sent',
	advice: 'Check the host and port of Base URL in the credential',
};
const NOT_FOUND = {
	message: 'The host of the service was not found; nothing was sent',
	advice: 'Check the spelling of Base URL in the credential, and the network of this n8n',
};
const TIMED_OUT = {
	message: 'The service did not answer in time; it may have received the request',
	advice: LOOK,
};

const silences: Readonly<Record<string, Explanation>> = {
	ECONNREFUSED: REFUSED,
	ENOTFOUND: NOT_FOUND,
	EAI_AGAIN: NOT_FOUND,
	ECONNABORTED: TIMED_OUT,
	ETIMEDOUT: TIMED_OUT,
	LATE: {
		message: 'Not sent, because the service asked to wait for longer than there was time',
		advice: 'Try again later',
	},
	STOPPED: {
		message: 'Not sent, because the workflow was stopped',
		advice: 'Run the workflow again to send it',
	},
	ABORTED: {
		message: 'The workflow was stopped while this was under way; the service may have received it',
		advice: LOOK,
	},
	CLAIMED: {
		message:
			'Not sent again, because another run of this node is contacting this person now, or was interrupted while it did; the service may have received it',
		advice: 'Check in the service whether it arrived; this node does not send it again by itself',
	},
	INTERRUPTED: {
		message:
			'An earlier attempt of this node was interrupted before the reply came; the service may have received it',
		advice: 'Check in the service whether it arrived; this node does not send it again by itself',
	},
};
