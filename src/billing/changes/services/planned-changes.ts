import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { DomainEvents } from '../../../platform/domain-events';
import { ok, type Result } from '../../../platform/result';
import { PlannedChangeReplaced } from '../../billing.events';
import { StripePlanChanges } from '../../stripe/stripe-plan-changes';
import type { SubscriptionResult } from '../../stripe/subscription-call';
import { StripeSchedules, type PlannedItem } from '../../stripe/stripe-schedules';
import type { Changing } from './live-subscription';

/** Plans and drops changes for the end of a period. */
@Injectable()
export class PlannedChanges {
  constructor(
    private readonly planChanges: StripePlanChanges,
    private readonly schedules: StripeSchedules,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Plans another item in place of a planned change or cancellation, which stays if that fails, as
   * far as Stripe can be reached. NO_SUBSCRIPTION; CONFLICT; BILLING_UNAVAILABLE.
   */
  async plan({ held, atStripe }: Changing, item: PlannedItem): Promise<SubscriptionResult> {
    const { scheduleId, cancellation } = atStripe;
    if (scheduleId) return this.schedules.replace(scheduleId, atStripe.priceId, item, held.id);
    const withdrawn = await this.planChanges.clear(atStripe, held.id);
    if (!withdrawn.ok) return withdrawn;
    const planned = await this.schedules.plan(atStripe, item, held.id);
    if (!planned.ok && cancellation) await this.planChanges.restoreEnd(atStripe, held.id);
    return planned;
  }

  /** After another change was made: drops the planned one, at the latest by a job. */
  async drop({ held, stored, atStripe }: Changing): Promise<Result<void, 'NOT_FOUND'>> {
    const { scheduleId } = atStripe;
    if (!scheduleId) return ok();
    const dropped = await this.planChanges.clear(atStripe, held.id);
    if (dropped.ok) return ok();
    const { tenantId, pendingPlan: plan, pendingInterval: interval } = stored;
    const replaced = new PlannedChangeReplaced(tenantId, { scheduleId, plan, interval });
    return this.unitOfWork.inTenant({ tenantId }, async () => ok(await this.events.publish(replaced)));
  }
}
