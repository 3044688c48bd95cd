import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecondFactorReset } from '../../factors/factors.api';
import { DomainEvents } from '../../platform/domain-events';
import { SessionRevoker } from '../services/session-revoker';

/**
 * Ends all sessions of a user whose second factor operators have reset, with the trusted browsers
 * and the sign-ins that wait for the factor.
 */
@Injectable()
export class RevokeSessionsOnSecondFactorReset implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly sessionRevoker: SessionRevoker,
  ) {}

  onModuleInit(): void {
    this.events.on(SecondFactorReset, async (resets) => {
      for (const { userId, by } of resets) await this.sessionRevoker.revokeAll(userId, 'second-factor-changed', by);
    });
  }
}
