import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountSecured } from '../../../auth/auth.api';
import { DomainEvents } from '../../../platform/domain-events';
import { AccountKeeper } from '../services/account-keeper';

/** "This was not me": an attacker may have requested the deletion. */
@Injectable()
export class CancelDeletionOnAccountSecured implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly accountKeeper: AccountKeeper,
  ) {}

  onModuleInit(): void {
    this.events.on(AccountSecured, async (secured) => {
      for (const { userId } of secured) await this.accountKeeper.keep(userId, 'account-secured');
    });
  }
}
