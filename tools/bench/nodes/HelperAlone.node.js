const CREDENTIAL = 'conversationDeskApi';

/** Sends the requests of its rows through n8n's helper, parses the responses, and returns items. */
class HelperAlone {
	description = {
		displayName: 'Helper Alone',
		name: 'helperAlone',
		group: ['input'],
		version: 1,
		description: 'Sends requests and nothing else',
		defaults: { name: 'Helper Alone' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [
			{ displayName: 'Parallel Requests', name: 'parallel', type: 'number', default: 1 },
		],
	};

	async execute() {
		const parallel = this.getNodeParameter('parallel', 0);
		const data = await this.getCredentials(CREDENTIAL);
		// Without it, n8n reads the credential from its database for every request.
		const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
		const parts = [];
		const queue = this.getInputData().entries();
		const work = async () => {
			for (const [item, { json }] of queue) {
				const { method, path, body } = json;
				const options = { method, url: new URL(path, data.baseUrl).href, body, encoding: 'text' };
				const send = this.helpers.httpRequestWithAuthentication;
				const text = await send.call(this, CREDENTIAL, options, { credentialsDecrypted });
				const response = JSON.parse(text);
				const { data: tickets, conversations } = response;
				const entries = tickets ?? conversations ?? body?.customers ?? [response];
				parts[item] = entries.map((entry) => ({ json: entry, pairedItem: { item } }));
			}
		};
		await Promise.all(Array.from({ length: parallel }, work));
		return [parts.flat()];
	}
}

module.exports = { HelperAlone };
