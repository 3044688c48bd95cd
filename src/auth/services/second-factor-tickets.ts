import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, ok, type Result } from '../../platform/result';
import { FACTOR_METHODS } from '../../factors/factors.api';
import { UserRepository, type User } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { SignInTicketRepository } from '../data/sign-in-ticket.repository';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';
import { SecondFactorNeeded } from '../domain/second-factor-needed';
import type { SignIn } from '../domain/session';
import { TICKET_SECONDS } from '../domain/sign-in-ticket';
import type { TokenPair } from '../domain/token-pair';
import { KnownDevices } from './known-devices';

/** The result of a sign-in: tokens, or a ticket for the second factor. */
export type SignedIn = TokenPair | SecondFactorNeeded;

/**
 * Decides whether a sign-in needs a second factor, and issues the tickets for it. Accounts without
 * a second factor cost no query.
 */
@Injectable()
export class SecondFactorTickets {
  constructor(
    private readonly users: UserRepository,
    private readonly tickets: SignInTicketRepository,
    private readonly trustedBrowsers: TrustedBrowserRepository,
    private readonly devices: KnownDevices,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the account has a second factor that was not proven, and does not trust the browser.
   */
  async isNeeded({ id, hasSecondFactor }: User, { secondFactor }: SignIn): Promise<boolean> {
    if (!hasSecondFactor || secondFactor) return false;
    const deviceId = this.devices.idFor(id);
    return deviceId === undefined || !(await this.trustedBrowsers.isTrusted(id, deviceId, this.clock.now()));
  }

  /**
   * A ticket for a user who has proven the first factor. INVALID_CREDENTIALS if the account changed
   * since it was read, because its open tickets were withdrawn then.
   */
  ask(
    { id, passwordHash }: User,
    signIn: SignIn,
    tenantId: string | undefined,
  ): Promise<Result<SecondFactorNeeded, 'INVALID_CREDENTIALS'>> {
    return this.unitOfWork.transaction(async () => {
      const current = await this.users.lockEnabled(id);
      if (!current || current.passwordHash !== passwordHash) return err(AuthFailures.invalidCredentials);
      const ticket = await this.tickets.issue(id, signIn, tenantId);
      return ok(new SecondFactorNeeded(ticket, FACTOR_METHODS, TICKET_SECONDS));
    });
  }
}
