import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PasskeyAdded, PasskeyRepository } from '../../factors/factors.api';
import { DomainEvents } from '../../platform/domain-events';
import { SessionCheck } from '../services/session-check';

/**
 * Marks a passkey that was added in a session with proof of the mailbox, because only such a
 * passkey signs in with proof of the mailbox (see Session.isProven).
 */
@Injectable()
export class MarkPasskeyOnPasskeyAdded implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly passkeys: PasskeyRepository,
    private readonly sessionCheck: SessionCheck,
  ) {}

  onModuleInit(): void {
    this.events.on(PasskeyAdded, async ([{ actor, passkeyId }]) => {
      if (await this.sessionCheck.isProven(actor.tokenId)) await this.passkeys.markProven(passkeyId);
    });
  }
}
