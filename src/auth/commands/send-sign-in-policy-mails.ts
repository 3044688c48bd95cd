import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { idAfter } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { MembersWithoutFactor } from '../../tenants/tenants.api';
import { SecondFactorAnnounced } from '../domain/sign-in-policy-events';
import { SignInPolicyRepository } from '../data/sign-in-policy.repository';
import { SendSignInPolicyMail } from './send-sign-in-policy-mail';

/** Members per run. */
const BATCH = 200;

/**
 * Notifies and emails the members of a tenant who have no second factor, in batches, if its policy
 * still asks for one. Enqueues itself again while there are more.
 */
@Job('send-sign-in-policy-mails')
export class SendSignInPolicyMails extends Command<Result> {
  constructor(
    readonly tenantId: string,
    /** The time from which on the factor is needed (ISO 8601): another one ends this job. */
    readonly from: string,
    /** The last membership that was told; undefined at the start. */
    readonly after?: string,
  ) {
    super();
  }
}

@CommandHandler(SendSignInPolicyMails)
export class SendSignInPolicyMailsHandler implements ICommandHandler<SendSignInPolicyMails> {
  constructor(
    private readonly policies: SignInPolicyRepository,
    private readonly members: MembersWithoutFactor,
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ tenantId, from, after }: SendSignInPolicyMails): Promise<Result> {
    // NOT_FOUND: the tenant was deleted meanwhile
    await this.unitOfWork.inTenant({ tenantId }, async () => {
      const policy = await this.policies.lock(tenantId);
      if (policy?.secondFactorFrom?.toISOString() !== from) return ok();
      const members = await this.members.list(tenantId, after ?? idAfter(undefined), BATCH);
      if (members.length === 0) return ok();
      const mails = members.map(({ userId }) => ({ command: new SendSignInPolicyMail(tenantId, userId, from) }));
      await this.jobs.enqueueAll(mails);
      await this.events.publish(new SecondFactorAnnounced(tenantId, from, members));
      if (members.length === BATCH)
        await this.jobs.enqueue(new SendSignInPolicyMails(tenantId, from, members.at(-1)!.id));
      return ok();
    });
    return ok();
  }
}
