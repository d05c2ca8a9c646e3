import type { ConnectionError, Description } from './failures';

/** The advice after a request that may have arrived. */
export const CHECK_ARRIVAL = 'Check in the service whether it arrived before sending it again';

/** Describes why there is no response, and whether the request may have been sent. */
export function describeNoResponse({ code, sent, call, help }: ConnectionError): Description {
	// A request that only reads leaves nothing to check.
	const advice = help?.readOnly ? 'Try again later. Reading changes nothing' : CHECK_ARRIVAL;
	const listed = noResponses[code];
	// A timeout while connecting proves that nothing was sent.
	if (listed && !(listed === TIMED_OUT && sent === 'no')) return { advice, ...listed };
	if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
		const ending = sent === 'no' ? '. Nothing was sent' : '';
		return {
			message: `The connection to the service is not trusted, because of its certificate (${code})${ending}`,
			advice: 'Check Base URL in the credential, or ask your administrator about its certificate',
		};
	}
	if (sent === 'no')
		return {
			message: `The service could not be reached (${code}). Nothing was sent`,
			advice: 'Check Base URL in the credential and the network of this n8n',
		};
	return {
		message: `The connection broke before a response came (${code}, ${call}). The service may have received the request`,
		advice,
	};
}

const HOST_NOT_FOUND = {
	message: 'The host of the service was not found. Nothing was sent',
	advice: 'Check the spelling of Base URL in the credential, and the network of this n8n',
};
const TIMED_OUT = {
	message: 'The service did not respond in time. It may have received the request',
};

/** Descriptions by code. An entry without advice gets the general advice. */
const noResponses: Readonly<Record<string, Description>> = {
	ECONNREFUSED: {
		message: 'The service refused the connection (ECONNREFUSED). Nothing was sent',
		advice: 'Check the host and port of Base URL in the credential',
	},
	ENOTFOUND: HOST_NOT_FOUND,
	EAI_AGAIN: HOST_NOT_FOUND,
	ECONNABORTED: TIMED_OUT,
	ETIMEDOUT: TIMED_OUT,
	DEADLINE_EXCEEDED: {
		message: 'Not sent in time. A request leaves within ten minutes after it was checked',
		advice: 'Run the node again',
	},
	PAUSE_TOO_LONG: {
		message: 'Not sent, because the service asked to wait longer than there was time for',
		advice: 'Try again later',
	},
	CANCELED: {
		message: 'Not sent, because the workflow was stopped',
		advice: 'Run the workflow again to send it',
	},
	ABORTED: {
		message:
			'The workflow was stopped while this was in progress. The service may have received it',
	},
	INTERRUPTED: {
		message:
			'An earlier attempt of this node was interrupted before the response came. The service may have received it',
		advice: 'Check in the service whether it arrived. This node does not resend it automatically',
	},
};
