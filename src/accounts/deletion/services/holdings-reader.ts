import { Injectable } from '@nestjs/common';
import { LiveSubscriptions } from '../../../billing/billing.api';
import { OwnedTenants } from '../../../tenants/tenants.api';
import { holdingsOf, type AccountHoldings } from '../domain/deletion-blocker';

/** Reads what the deletion of an account means for the workspaces that its user owns. */
@Injectable()
export class HoldingsReader {
  constructor(
    private readonly ownedTenants: OwnedTenants,
    private readonly liveSubscriptions: LiveSubscriptions,
  ) {}

  /** Runs across tenants. */
  async of(userId: string): Promise<AccountHoldings> {
    const owned = await this.ownedTenants.list(userId);
    return holdingsOf(owned, await this.liveSubscriptions.among(owned.map(({ id }) => id)));
  }
}
