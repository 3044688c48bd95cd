import { Injectable } from '@nestjs/common';
import { SeatCounts } from '../../../tenants/tenants.api';
import { BilledSeatsDiffer } from '../../billing.events';
import type { Subscription } from '../../subscriptions/domain/subscription';

/** Compares the seats that Stripe bills with the members of the tenants. */
@Injectable()
export class SeatComparison {
  constructor(private readonly seats: SeatCounts) {}

  /**
   * An event for each subscription that bills another number than the tenant has members. One
   * statement, and none if no subscription is billed by seats now.
   */
  async eventsFor(subscriptions: readonly Subscription[]): Promise<BilledSeatsDiffer[]> {
    const billed = subscriptions.filter(({ billsSeats }) => billsSeats);
    if (billed.length === 0) return [];
    const members = await this.seats.membersOf(billed.map(({ tenantId }) => tenantId));
    const differs = ({ tenantId, seats }: Subscription) => (members.get(tenantId) ?? seats) !== seats;
    return billed.filter(differs).map(({ tenantId }) => new BilledSeatsDiffer(tenantId));
  }
}
