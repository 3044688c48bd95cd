import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { SecondFactorAdded, SecondFactorRemoved, type FactorActor } from '../../factors/factors.api';
import { UserRepository } from '../../users/users.api';
import { SessionRepository } from '../data/session.repository';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';
import { SessionRevoker } from '../services/session-revoker';

/**
 * Ends the other sessions of a user whose second factor changed: they have proven one factor only,
 * or one that was removed. The session that added a factor has proven it; the session that removed
 * the last one no longer has proof of any.
 */
@Injectable()
export class RevokeSessionsOnSecondFactorChanged implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly sessions: SessionRepository,
    private readonly users: UserRepository,
    private readonly sessionRevoker: SessionRevoker,
    private readonly trustedBrowsers: TrustedBrowserRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(SecondFactorAdded, async ([{ actor, method }]) => {
      await this.revokeOthers(actor);
      const session = await this.sessions.lockByAccessToken(actor.tokenId);
      session?.prove(method, this.clock.now());
      if (session) await this.sessions.save(session);
    });
    this.events.on(SecondFactorRemoved, async ([{ actor }]) => {
      await this.revokeOthers(actor);
      const user = await this.users.findById(actor.userId);
      const session = user?.hasSecondFactor ? undefined : await this.sessions.lockByAccessToken(actor.tokenId);
      session?.forgetSecondFactor();
      if (session) await this.sessions.save(session);
    });
  }

  private async revokeOthers({ userId, tokenId }: FactorActor): Promise<void> {
    await this.sessionRevoker.revokeOthers(userId, tokenId, 'second-factor-changed');
    await this.trustedBrowsers.removeAll(userId);
  }
}
