import { unwrap, type Schemas } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { SHARED_LIST_REFRESH_MS } from '../queries';
import { api } from '../session';

export type AuditStream = Schemas['AuditStreamStateView'];

/** An audit stream of the workspace. */
export const useAuditStream = (id = '') =>
  useQuery({
    queryKey: ['audit-stream', id],
    queryFn: async () => unwrap(await api.GET('/tenants/current/audit-streams/{id}', { params: { path: { id } } })),
    refetchInterval: SHARED_LIST_REFRESH_MS,
  });
