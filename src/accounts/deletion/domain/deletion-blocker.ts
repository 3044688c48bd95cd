import type { OwnedTenant } from '../../../tenants/tenants.api';

/** Why a workspace prevents the deletion of its Owner's account. */
export const BLOCKER_REASONS = ['members', 'subscription'] as const;
export type BlockerReason = (typeof BLOCKER_REASONS)[number];

/** A workspace that must be handed over, deleted or canceled before its Owner's account. */
export interface DeletionBlocker {
  readonly tenantId: string;
  readonly name: string;
  readonly reason: BlockerReason;
}

/** A workspace that is deleted together with the account of its Owner. */
export interface DeletedTenant {
  readonly tenantId: string;
  readonly name: string;
}

/** What the deletion of an account means for the workspaces that its user owns. */
export interface AccountHoldings {
  readonly blockers: readonly DeletionBlocker[];
  readonly deletedTenants: readonly DeletedTenant[];
}

/**
 * A workspace with other members is not deleted with the account, because it is not the Owner's
 * alone; one with a live subscription is not, because Stripe would charge it forever.
 * @param live the workspaces with a live subscription
 */
export function holdingsOf(owned: readonly OwnedTenant[], live: ReadonlySet<string>): AccountHoldings {
  const blockers: DeletionBlocker[] = [];
  const deletedTenants: DeletedTenant[] = [];
  for (const { id: tenantId, name, hasOtherMembers } of owned) {
    const reason = hasOtherMembers ? 'members' : live.has(tenantId) ? 'subscription' : undefined;
    if (reason) blockers.push({ tenantId, name, reason });
    else deletedTenants.push({ tenantId, name });
  }
  return { blockers, deletedTenants };
}
