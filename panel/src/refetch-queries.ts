import type { QueryClient } from '@tanstack/react-query';

/**
 * Reads again what the page shows, because something has changed. A first read that is under way
 * may have been answered before the change: it is started again, which invalidating does only for
 * queries that have data.
 */
export async function refetch(queries: QueryClient): Promise<void> {
  await queries.cancelQueries({
    type: 'active',
    fetchStatus: 'fetching',
    predicate: ({ state }) => state.data === undefined,
  });
  await queries.invalidateQueries();
}
