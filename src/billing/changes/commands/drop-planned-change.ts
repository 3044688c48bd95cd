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
@Job('drop-planned-change', 'processor')
export class DropPlannedChange extends Command<Result<void, ChangeCode>> {
  constructor(
    readonly tenantId: string,
    readonly change: PlannedChange,
  ) {
    super();
  }
}

/** The job for it. */
export const dropPlannedChangeJob = (tenantId: string, change: PlannedChange): JobRequest => ({
  command: new DropPlannedChange(tenantId, change),
  key: `drop-planned-change:${change.scheduleId}`,
});

@CommandHandler(DropPlannedChange)
export class DropPlannedChangeHandler implements ICommandHandler<DropPlannedChange> {
  constructor(
    private readonly liveSubscription: LiveSubscription,
    private readonly planChanges: StripePlanChanges,
  ) {}

  async execute({ tenantId, change }: DropPlannedChange) {
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
