import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, type JobRequest } from '../../../platform/jobs/jobs';
import { ok, type Result } from '../../../platform/result';
import { StripePlanChanges } from '../../stripe/stripe-plan-changes';
import type { PlannedChange } from '../domain/planned-change';
import { LiveSubscription, type ChangeCode } from '../services/live-subscription';

/**
 * Drops a planned change that another change has replaced, when Stripe failed in between: otherwise
 * it would still be made at the end of the period. Does nothing if something else is planned now.
 */
@Job('cancel-planned-change', 'processor')
export class CancelPlannedChange extends Command<Result<void, ChangeCode>> {
  constructor(
    readonly tenantId: string,
    readonly change: PlannedChange,
  ) {
    super();
  }
}

/** The job for it. */
export const cancelPlannedChangeJob = (tenantId: string, change: PlannedChange): JobRequest => ({
  command: new CancelPlannedChange(tenantId, change),
  key: `cancel-planned-change:${change.scheduleId}`,
});

@CommandHandler(CancelPlannedChange)
export class CancelPlannedChangeHandler implements ICommandHandler<CancelPlannedChange> {
  constructor(
    private readonly liveSubscription: LiveSubscription,
    private readonly planChanges: StripePlanChanges,
  ) {}

  async execute({ tenantId, change }: CancelPlannedChange) {
    const dropped = await this.liveSubscription.within({ tenantId }, async ({ held, stored, atStripe }) => {
      const { pendingPlan, pendingInterval } = stored;
      const isPlanned = pendingPlan === change.plan && pendingInterval === change.interval;
      return atStripe.scheduleId === change.scheduleId && isPlanned ? this.planChanges.clear(atStripe, held.id) : ok();
    });
    if (dropped.ok) return dropped;
    const { code } = dropped.failure;
    return code === 'NO_SUBSCRIPTION' || code === 'NOT_FOUND' ? ok() : dropped;
  }
}
