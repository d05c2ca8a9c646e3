/** The only credentials the sandbox accepts. */
export const credentials = {
	apiKey: 'sandbox-key',
	workspaceId: '8b0c1f6e-2f4d-4c1a-9a53-1d2e3f405060',
	workspaceSlug: 'sandbox',
	accessToken: 'sandbox-token',
} as const;
