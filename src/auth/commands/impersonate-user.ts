import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { SETTINGS, type Settings } from '../../config/settings';
import { ACCESS_TOKEN_SECONDS } from '../../http/access/access-tokens';
import type { Actor } from '../../http/access/actor';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { AdminCheck, isAdmin, UserView } from '../../users/users.api';
import { UserImpersonated } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { SessionRepository } from '../data/session.repository';
import { SessionIssuer } from '../services/session-issuer';

/** What an admin needs to act as somebody. No refresh token: it ends with the access token. */
export class ImpersonationView {
  @ApiProperty({ type: String, description: "The person's own claims, and impersonator_id" })
  readonly accessToken!: string;
  @ApiProperty({ type: String, enum: ['Bearer'] }) readonly tokenType!: string;
  @ApiProperty({ type: 'integer', description: 'Seconds that the access token lives' }) readonly expiresIn!: number;
  @ApiProperty({ type: UserView }) readonly user!: UserView;
}

/**
 * Lets an admin act as somebody for 15 minutes, writes it down, and tells the person
 * (specification, Authentication 6). NOT_FOUND, also for a tenant that the person is not in;
 * CANNOT_IMPERSONATE for an admin or oneself; CONFLICT for a disabled account; FORBIDDEN for who is
 * an admin by an old token only.
 */
export class ImpersonateUser extends Command<Result<ImpersonationView>> {
  constructor(
    readonly actor: Actor,
    readonly userId: string,
    readonly reason?: string,
    /** The tenant to be active; undefined: the one that the person had active last. */
    readonly tenantId?: string,
  ) {
    super();
  }
}

@CommandHandler(ImpersonateUser)
export class ImpersonateUserHandler implements ICommandHandler<ImpersonateUser> {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly sessions: SessionRepository,
    private readonly issuer: SessionIssuer,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async execute({ actor, userId, reason, tenantId }: ImpersonateUser): Promise<Result<ImpersonationView>> {
    const { adminEmails } = this.settings;
    if (userId === actor.userId) return err(AuthFailures.cannotImpersonate);
    return this.unitOfWork.transaction(async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const person = await this.sessions.findHolder(userId, tenantId);
      if (!person) return err(PlatformFailures.notFound);
      if (isAdmin(person, adminEmails)) return err(AuthFailures.cannotImpersonate);
      if (person.disabledAt) return err(AuthFailures.cannotImpersonateDisabled);
      await this.events.publish(new UserImpersonated(actor.userId, person, reason || null));
      const accessToken = await this.issuer.impersonate(person, actor);
      if (!accessToken) return err(PlatformFailures.sessionEnded);
      return ok({
        accessToken,
        tokenType: 'Bearer',
        expiresIn: ACCESS_TOKEN_SECONDS,
        user: UserView.of(person, adminEmails),
      });
    });
  }
}
