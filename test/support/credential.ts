/** A credential that the service of the tests knows. */
export const good = {
	baseUrl: 'https://desk.test/api/v2',
	apiKey: 'key-0123456789',
	workspaceId: '8b0c1f6e-2f4d-4c1a-9a53-1d2e3f405060',
	workspaceSlug: 'acme',
	accessToken: ['token', '0123456789'].join('-'),
};
