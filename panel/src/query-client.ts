import { QueryClient } from '@tanstack/react-query';

/**
 * What has been read. What a refusal is worth is decided at once: an operator sees it, and tries
 * again by a button.
 */
export const createQueryClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });
