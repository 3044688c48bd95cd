import { ApiError, type Answer, unwrap } from '@tenantry/client';
import { MutationCache, QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ShowToast } from './layout/toasts';
import { errorMessage } from './messages';
import { refetch } from './refetch-queries';
import { api } from './session';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
    /** isShown: the form shows the error itself. */
    mutationMeta: { isShown?: boolean };
    /** isOnce: the data is not fetched again after writes. */
    queryMeta: { isOnce?: boolean };
  }
}

/** The cache of one user in one workspace. Another user or workspace gets a new one. */
export function createQueries(showToast: ShowToast): QueryClient {
  const refetchAll = () => {
    void refetch(queries, { predicate: ({ meta }) => !meta?.isOnce });
  };
  const queries = new QueryClient({
    mutationCache: new MutationCache({
      // After every write the whole page is fetched again: no list of dependencies to maintain.
      onSuccess: refetchAll,
      onError: (error, _variables, _result, mutation) => {
        if (error instanceof ApiError && error.failure.status === 402) refetchAll(); // the plan may have ended
        if (mutation.meta?.isShown) return;
        // the page shows something deleted
        if (error instanceof ApiError && error.failure.code === 'NOT_FOUND') refetchAll();
        showToast(errorMessage(error));
      },
    }),
    defaultOptions: { queries: { staleTime: 5000, retry: (count, error) => count < 2 && isRetryable(error) } },
  });
  return queries;
}

/** Whether a retry may help: the service can't be reached, or failed. */
export const isRetryable = (error: ApiError) =>
  error instanceof ApiError && (error.failure.status === 0 || error.failure.status >= 500);

/** An operator can change the subscription without a notification. */
const REFRESH_MS = 60_000;

/** The user, their role, and the subscription of the active workspace. */
export const useMe = () =>
  useQuery({ queryKey: ['me'], queryFn: async () => unwrap(await api.GET('/auth/me')), refetchInterval: REFRESH_MS });

/**
 * The number of new notifications in each workspace of the user. The stream covers the active one
 * only; the others are polled every minute.
 */
export const useUnreadByTenant = () =>
  useQuery({
    queryKey: ['unread-by-tenant'],
    queryFn: async () => unwrap(await api.GET('/notifications/unread-counts')).items,
    refetchInterval: REFRESH_MS,
  });

/** The workspaces of the user. @param isNeeded whether they are shown */
export const useTenants = (isNeeded = true) =>
  useQuery({
    queryKey: ['tenants'],
    queryFn: async () => unwrap(await api.GET('/tenants', { params: { query: { limit: 100 } } })).items,
    enabled: isNeeded,
  });

/** The user's sign-in methods. */
export const useSignInMethods = () =>
  useQuery({ queryKey: ['methods'], queryFn: async () => unwrap(await api.GET('/auth/providers')) });

/** The roles of the workspace; there are never more than a page. */
export const useRoles = () =>
  useQuery({
    queryKey: ['roles'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/roles', { params: { query: { limit: 100 } } })).items,
  });

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** How often lists are fetched again that others change without a notification, such as members. */
export const SHARED_LIST_REFRESH_MS = 20_000;

/**
 * A list, page by page.
 * @param everyMs how often it is fetched again by itself; it can depend on the items
 */
export const usePagedQuery = <Item>(
  key: string,
  read: (query: { cursor?: string }) => Promise<Answer<Page<Item>>>,
  everyMs?: number | ((items: readonly Item[]) => number),
) =>
  useInfiniteQuery({
    queryKey: [key, 'pages'],
    queryFn: async ({ pageParam: cursor }) => unwrap(await read(cursor ? { cursor } : {})),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: ({ state }) =>
      typeof everyMs === 'function'
        ? everyMs(state.data?.pages.flatMap(({ items }) => items) ?? [])
        : (everyMs ?? false),
  });
