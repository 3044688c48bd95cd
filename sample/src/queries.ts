import { ApiError, type Answer, unwrap } from '@tenantry/client';
import { MutationCache, QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ShowToast } from './layout/toasts';
import { errorMessage } from './messages';
import { api } from './session';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError;
    /** isShown: the form shows the refusal itself. */
    mutationMeta: { isShown?: boolean };
    /** isOnce: what was read stays true for this page, whatever is written. */
    queryMeta: { isOnce?: boolean };
  }
}

/** What was read, for one person in one tenant: whoever comes next gets a new one. */
export function createQueries(showToast: ShowToast): QueryClient {
  const readAgain = () => void queries.invalidateQueries({ predicate: ({ meta }) => !meta?.isOnce });
  const queries = new QueryClient({
    mutationCache: new MutationCache({
      // What is on the page is read again after every write: there is no list of what depends on
      // what.
      onSuccess: readAgain,
      onError: (error, _typed, _result, mutation) => {
        if (error instanceof ApiError && error.failure.code === 'PLAN_REQUIRED')
          void queries.invalidateQueries({ queryKey: ['me'] }); // it may have ended
        if (mutation.meta?.isShown) return;
        if (error instanceof ApiError && error.failure.code === 'NOT_FOUND') readAgain(); // the page shows what is gone
        showToast(errorMessage(error));
      },
    }),
    defaultOptions: { queries: { staleTime: 5000, retry: (count, error) => count < 2 && isRetryable(error) } },
  });
  return queries;
}

/** Whether trying again may help: the service could not be reached, or stumbled. */
export const isRetryable = (error: ApiError) =>
  error instanceof ApiError && (error.failure.status === 0 || error.failure.status >= 500);

/**
 * How a subscription is becomes another thing without a notification, too: an operator may set it.
 */
const REFRESH_MS = 60_000;

/** You, your role and the subscription of the active tenant. */
export const useMe = () =>
  useQuery({ queryKey: ['me'], queryFn: async () => unwrap(await api.GET('/auth/me')), refetchInterval: REFRESH_MS });

/**
 * How many notifications are new in each workspace of one's own. The stream tells of the active one
 * only: of others one hears within a minute.
 */
export const useUnreadByTenant = () =>
  useQuery({
    queryKey: ['unread-by-tenant'],
    queryFn: async () => unwrap(await api.GET('/notifications/unread-counts')).items,
    refetchInterval: REFRESH_MS,
  });

/** The ways into one's account. */
export const useSignInMethods = () =>
  useQuery({ queryKey: ['methods'], queryFn: async () => unwrap(await api.GET('/auth/providers')) });

/** The roles of the tenant; nobody has more than a page of them. */
export const useRoles = () =>
  useQuery({
    queryKey: ['roles'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/roles', { params: { query: { limit: 100 } } })).items,
  });

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/**
 * How often a list is read again that other people change without a notification, such as by
 * accepting an invitation.
 */
export const SHARED_LIST_REFRESH_MS = 20_000;

/** A list that is read on page by page. @param everyMs how often it is read again by itself */
export const usePagedQuery = <Item>(
  key: string,
  read: (query: { cursor?: string }) => Promise<Answer<Page<Item>>>,
  everyMs?: number,
) =>
  useInfiniteQuery({
    queryKey: [key, 'pages'],
    queryFn: async ({ pageParam: cursor }) => unwrap(await read(cursor ? { cursor } : {})),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: everyMs,
  });
