import { QueryClient } from '@tanstack/react-query';
import { isOutage } from './error-message';

/** The longest wait between two attempts to reach the service again. */
const LONGEST_RETRY_MS = 5000;

/**
 * Errors are shown at once, but during an outage a query is retried until it succeeds (see
 * ReconnectingNotice). Lists need these options explicitly: react-admin turns retries off.
 */
export const RETRY_OUTAGES = {
  networkMode: 'always',
  retry: (_: number, error: unknown) => isOutage(error),
  retryDelay: (attempt: number) => Math.min(1000 * 2 ** attempt, LONGEST_RETRY_MS),
} as const;

/** A query cache. */
export const createQueryClient = () => new QueryClient({ defaultOptions: { queries: RETRY_OUTAGES } });
