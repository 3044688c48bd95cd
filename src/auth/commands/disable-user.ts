import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AuditLogRepository } from '../../audit/audit.api';
import type { Actor } from '../../http/access/actor';
import { RevokedTokens } from '../../http/access/revoked-tokens';
import { Clock } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { AdminCheck, UserRepository } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { SessionRepository } from '../data/session.repository';

/**
 * Closes an account and ends all of its sessions and access tokens. Twice is as once. NOT_FOUND;
 * CONFLICT for one's own; FORBIDDEN for who is an admin by an old token only.
 */
export class DisableUser extends Command<Result> {
  constructor(
    readonly actor: Actor,
    readonly userId: string,
  ) {
    super();
  }
}

@CommandHandler(DisableUser)
export class DisableUserHandler implements ICommandHandler<DisableUser> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly revokedTokens: RevokedTokens,
    private readonly auditLogRepository: AuditLogRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, userId }: DisableUser): Promise<Result> {
    if (userId === actor.userId) return err(AuthFailures.cannotDisableYourself);
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const user = await this.users.lock(userId);
      if (!user) return err(PlatformFailures.notFound);
      if (user.disabledAt) return ok();
      user.disable(this.clock.now());
      await this.users.save(user);
      await this.sessions.revokeAll(user.id, this.clock.now(), 'disabled', actor);
      await this.revokedTokens.revoke([user.id]); // also the tokens by which an admin acts as this person
      await this.auditLogRepository.append([
        { action: 'user.disabled', by: actor, tenantId: null, target: { type: 'user', id: userId }, data: {} },
      ]);
      return ok();
    });
  }
}
