import { unwrap, type Answer } from '@tenantry/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Page } from '../cursor-pagination';

/** How often a page that shows what happens right now looks again. */
export const LIVE_MS = 5000;

/** How often a page of numbers does, for which large tables are counted. */
export const CALM_MS = 30_000;

/**
 * Reads for a page and keeps what was read; `everyMs`: again and again, while the page is looked
 * at.
 */
export function useApiQuery<Data, Code extends string>(
  key: readonly unknown[],
  read: () => Promise<Answer<Data, Code>>,
  everyMs?: number,
) {
  return useQuery({
    queryKey: key,
    queryFn: async () => unwrap(await read()),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });
}

/** Reads a list that stands within a page, a further page each time `more` is called. */
export function useApiPages<Row, Code extends string>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => Promise<Answer<Page<Row>, Code>>,
) {
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage, error, refetch } = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam }) => unwrap(await read(pageParam)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const more = hasNextPage ? () => void fetchNextPage() : undefined;
  return {
    rows: data?.pages.flatMap(({ items }) => items),
    more,
    isBusy: isFetchingNextPage,
    error,
    retry: () => void refetch(),
  };
}
