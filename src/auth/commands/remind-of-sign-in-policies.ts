import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { SignInPolicyRepository } from '../data/sign-in-policy.repository';
import { SendSignInPolicyMails } from './send-sign-in-policy-mails';

/**
 * Reminds members without a second factor a day before a tenant asks for it. A policy that was set
 * less than a day before has been announced at that time already.
 */
@Job('remind-of-sign-in-policies')
@Schedule('17 * * * *')
export class RemindOfSignInPolicies extends Command<Result> {}

@CommandHandler(RemindOfSignInPolicies)
export class RemindOfSignInPoliciesHandler implements ICommandHandler<RemindOfSignInPolicies> {
  constructor(
    private readonly policies: SignInPolicyRepository,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(): Promise<Result> {
    const now = this.clock.now();
    return this.unitOfWork.acrossTenants(async () => {
      const due = await this.policies.markReminded(now, addSeconds(now, DAY));
      const told = due.filter(({ announcedAt }) => announcedAt! < addSeconds(now, -DAY));
      await this.jobs.enqueueAll(
        told.map(({ tenantId, secondFactorFrom }) => ({
          command: new SendSignInPolicyMails(tenantId, secondFactorFrom!.toISOString()),
        })),
      );
      return ok();
    });
  }
}
