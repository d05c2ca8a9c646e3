// n8n's engine logs every error of a node; in tests that provoke errors this hides the result.
process.env.N8N_LOG_LEVEL = 'silent';
