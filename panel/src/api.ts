import { createClient } from '@tenantry/client';

/**
 * The service, as the operator who is signed in. The session has a cookie of its own name: in the
 * same browser the web client keeps its own.
 */
export const api = createClient({ baseUrl: '', session: { keep: 'cookie', name: 'panel' } });
