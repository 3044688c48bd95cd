import { unwrap, type Answer } from '@tenantry/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Page } from '../cursor-pagination';

/** The polling interval of live pages, such as the queue. */
export const LIVE_MS = 5000;

/** The polling interval of the overview, for which large tables are counted. */
export const CALM_MS = 30_000;

/** Reads from the API, cached; with `everyMs` again at this interval while the page is visible. */
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

/** Reads a list within a page, and its next page each time `more` is called. */
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
  const more = hasNextPage
    ? () => {
        void fetchNextPage();
      }
    : undefined;
  return {
    rows: data?.pages.flatMap(({ items }) => items),
    more,
    isBusy: isFetchingNextPage,
    error,
    retry: () => {
      void refetch();
    },
  };
}
