import { QueryClient } from '@tanstack/react-query';
import { isOutage } from './error-message';

/** The longest wait between two attempts to reach the service again. */
const LONGEST_RETRY_MS = 5000;

/**
 * The cache of what was read. A refusal is shown at once; while the service cannot be reached, it is
 * asked again until it answers (the reconnecting notice says so).
 */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: (_, error) => isOutage(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, LONGEST_RETRY_MS),
      },
    },
  });
