import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Reads again what the page shows, because something has changed. A first read that is under way
 * may have been answered before the change: it is started again, which invalidating does only for
 * queries that have data.
 */
export async function refetch(queries: QueryClient, filters: Pick<QueryFilters, 'predicate'> = {}): Promise<void> {
  const { predicate = () => true } = filters;
  const isFirstRead: QueryFilters['predicate'] = (query) => query.state.data === undefined && predicate(query);
  await queries.cancelQueries({ type: 'active', fetchStatus: 'fetching', predicate: isFirstRead });
  await queries.invalidateQueries(filters);
}
