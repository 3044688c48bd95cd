import { type Schemas, unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../session';

export type Entitlement = Schemas['EntitlementView'];

/** The entitlements of the workspace and their usage. Every member can read them. */
export const useEntitlements = () =>
  useQuery({
    queryKey: ['entitlements'],
    queryFn: async () => unwrap(await api.GET('/tenants/current/entitlements')),
  });

/** Members and pending invitations both take seats. */
export const takenOf = ({ used, pending }: Entitlement): number => (used ?? 0) + (pending ?? 0);

/** Whether nothing can be added. A downgrade can leave more than the limit. */
export const isReached = (entitlement: Entitlement): boolean =>
  entitlement.limit !== null && takenOf(entitlement) >= entitlement.limit;

/** The names of what is counted, for one and for several. */
const NOUNS: Partial<Record<Entitlement['name'], readonly [one: string, several: string]>> = {
  projects: ['project', 'projects'],
  keys: ['API key', 'API keys'],
  seats: ['seat', 'seats'],
};

/** "3 of 3 projects"; "9 of 10 seats, 2 pending"; "5 projects" if there is no limit. */
export function describeUse(entitlement: Entitlement): string | undefined {
  const nouns = NOUNS[entitlement.name];
  if (!nouns || entitlement.used === null) return undefined;
  const taken = takenOf(entitlement);
  const { limit, pending } = entitlement;
  const invited = pending ? `, ${pending} pending` : '';
  if (limit === null) return `${taken} ${taken === 1 ? nouns[0] : nouns[1]}${invited}`;
  return `${taken} of ${limit} ${limit === 1 ? nouns[0] : nouns[1]}${invited}`;
}
