import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck } from '../../users/users.api';
import { SignInPolicyRemoved } from '../domain/sign-in-policy-events';
import { SignInPolicyRepository } from '../data/sign-in-policy.repository';

/**
 * Removes the sign-in policy of a tenant, on behalf of an operator, when no member can meet it, for
 * example because its only allowed provider was disabled. NOT_FOUND; FORBIDDEN if the caller's
 * admin flag was revoked after the token was issued.
 */
export class RemoveSignInPolicy extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly tenantId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveSignInPolicy)
export class RemoveSignInPolicyHandler implements ICommandHandler<RemoveSignInPolicy> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly policies: SignInPolicyRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, tenantId }: RemoveSignInPolicy) {
    return this.unitOfWork.inTenant({ tenantId }, async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      if (!(await this.policies.remove(tenantId))) return err(PlatformFailures.notFound);
      await this.events.publish(new SignInPolicyRemoved(actor, tenantId));
      return ok();
    });
  }
}
