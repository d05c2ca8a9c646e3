import { ensureHost } from './install.mts';

// Installs the n8n of the end-to-end tests, so it is there when they begin.
await ensureHost();
