import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuthFailures, EarlierAddresses } from '../../../auth/auth.api';
import { Clock } from '../../../platform/clock';
import { err } from '../../../platform/result';
import { UserRepository } from '../../../users/users.api';
import { EmailChangeRepository } from '../data/email-change.repository';
import { EmailClaim } from '../services/email-claim';
import { EmailRestoration } from '../services/email-restoration';

/** Lets the link "This was not me" in an email to an earlier address undo the change. */
@Injectable()
export class SupplyEarlierAddresses implements OnModuleInit {
  constructor(
    private readonly earlierAddresses: EarlierAddresses,
    private readonly users: UserRepository,
    private readonly changes: EmailChangeRepository,
    private readonly emailClaim: EmailClaim,
    private readonly emailRestoration: EmailRestoration,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.earlierAddresses.useSource((userId, address, more) =>
      this.emailClaim.transaction(async () => {
        const user = await this.users.lock(userId);
        const now = this.clock.now();
        const changes = user ? await this.changes.list(userId) : [];
        const change = changes.find((one) => one.oldEmail === address && one.checkUndo(now).ok);
        if (!user || !change) return err(AuthFailures.resetInvalid);
        const restored = await this.emailRestoration.restore(user, change);
        return restored.ok ? more() : restored;
      }),
    );
  }
}
