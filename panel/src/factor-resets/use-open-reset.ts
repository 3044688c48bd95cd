import { api } from '../api';
import { useApiQuery } from '../components/use-api-query';

/** The open request to reset the second factor of a user; undefined if there is none. */
export function useOpenReset(userId: string) {
  const query = { user: userId, state: 'open', limit: 1 } as const;
  const { data } = useApiQuery(['factor-resets', userId], () => api.GET('/admin/factor-resets', { params: { query } }));
  return data?.items[0];
}
