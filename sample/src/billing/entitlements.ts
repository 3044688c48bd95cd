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

/** One of them; undefined until they are read. */
export const useEntitlement = (name: Entitlement['name']): Entitlement | undefined =>
  useEntitlements().data?.items.find((item) => item.name === name);

/** Members and pending invitations both take seats. */
export const takenOf = ({ used, pending }: Entitlement): number => (used ?? 0) + (pending ?? 0);

/** Whether nothing can be added. A downgrade can leave more than the limit. */
export const isReached = (entitlement: Entitlement): boolean =>
  entitlement.limit !== null && takenOf(entitlement) >= entitlement.limit;

/** The names of what is counted, for one and for several. */
const NOUNS: Partial<Record<Entitlement['name'], readonly [one: string, several: string]>> = {
  projects: ['project', 'projects'],
  keys: ['API key', 'API keys'],
};

/**
 * "3 of 3 projects"; "5 projects" if there is no limit; "2 members and 1 invitation. 10 seats
 * included, up to 50."
 * @param includedSeats the seats in the price of the plan, if it bills seats
 */
export function describeUse(entitlement: Entitlement, includedSeats?: number): string | undefined {
  if (entitlement.name === 'seats') return describeSeats(entitlement, includedSeats);
  const nouns = NOUNS[entitlement.name];
  if (!nouns || entitlement.used === null) return undefined;
  const taken = takenOf(entitlement);
  const { limit } = entitlement;
  if (limit === null) return `${taken} ${taken === 1 ? nouns[0] : nouns[1]}`;
  return `${taken} of ${limit} ${limit === 1 ? nouns[0] : nouns[1]}`;
}

function describeSeats({ used, pending, limit }: Entitlement, includedSeats: number | undefined): string {
  const members = `${used ?? 0} ${used === 1 ? 'member' : 'members'}`;
  const invited = pending ? ` and ${pending} ${pending === 1 ? 'invitation' : 'invitations'}` : '';
  const included = includedSeats === undefined ? undefined : `${includedSeats} seats included`;
  const most = limit === null ? undefined : `up to ${limit}${included ? '' : ' seats'}`;
  const terms = [included, most].filter(Boolean).join(', ');
  return `${members}${invited}.${terms && ` ${terms.charAt(0).toUpperCase()}${terms.slice(1)}.`}`;
}
