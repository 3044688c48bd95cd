import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job } from '../../platform/jobs/jobs';
import { Mailer } from '../../platform/mail/mailer';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { TenantOwners } from '../../tenants/tenants.api';
import { signInPolicyMail } from '../mails/sign-in-policy.mail';

/** Tells a member by email that a tenant will ask for a second factor. */
@Job('send-sign-in-policy-mail', 'mail')
export class SendSignInPolicyMail extends Command<Result> {
  constructor(
    readonly tenantId: string,
    readonly userId: string,
    /** From when on (ISO 8601). */
    readonly from: string,
  ) {
    super();
  }
}

@CommandHandler(SendSignInPolicyMail)
export class SendSignInPolicyMailHandler implements ICommandHandler<SendSignInPolicyMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly unitOfWork: UnitOfWork,
    private readonly mailer: Mailer,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ tenantId, userId, from }: SendSignInPolicyMail): Promise<Result> {
    const found = await this.unitOfWork.inTenant({ tenantId }, async () => ok(await this.tenantOwners.of([tenantId])));
    const user = await this.users.findById(userId);
    if (!found.ok || !user || user.hasSecondFactor) return ok(); // the tenant was deleted, or it is done
    const { tenantName } = found.value.get(tenantId)!;
    const recipient = { address: user.email, purpose: 'sign-in-policy', about: tenantId, isNew: false, reader: user };
    const url = `${this.settings.frontendUrl}/account`;
    await this.mailer.send(recipient, () => signInPolicyMail.with({ name: user.name, tenantName, from, url }));
    return ok();
  }
}
