import { unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { api, useHasPermission } from '../session';

/**
 * Names of members by their user ids, for lists that have ids only.
 * @returns a function; its answer is undefined for others, such as deleted users, and for readers
 * who may not see members
 */
export function useMemberNames(): (userId: string) => string | undefined {
  const canReadMembers = useHasPermission()('tenant.members.read');
  const members = useQuery({
    queryKey: ['members', 'names'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/members', { params: { query: { limit: 100 } } })).items,
    enabled: canReadMembers,
  });
  return (userId) => members.data?.find((member) => member.userId === userId)?.name;
}
