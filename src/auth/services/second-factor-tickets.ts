import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { factorMethods, PasskeyRepository } from '../../factors/factors.api';
import { UserRepository, type User } from '../../users/users.api';
import { SecondFactorAsked } from '../auth.events';
import { AuthFailures } from '../auth.failures';
import { SignInTicketRepository } from '../data/sign-in-ticket.repository';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';
import { SecondFactorNeeded } from '../domain/second-factor-needed';
import { provesTwoFactors, type SignIn } from '../domain/session';
import { TICKET_SECONDS } from '../domain/sign-in-ticket';
import type { TokenPair } from '../domain/token-pair';
import { currentDevice } from './current-device';
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
    private readonly passkeys: PasskeyRepository,
    private readonly trustedBrowsers: TrustedBrowserRepository,
    private readonly devices: KnownDevices,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens a session if the account has no second factor, or it was proven, or the browser is
   * trusted; else issues a ticket. Whether the browser is trusted is decided with the account
   * locked, so that the end of the trust comes before, or after and ends the session.
   * @param open opens the session
   * @returns INVALID_CREDENTIALS if the account changed since it was read, because its open tickets
   * were withdrawn then; what `open` fails with
   */
  async openOrAsk<C extends string>(
    user: User,
    signIn: SignIn,
    tenantId: string | undefined,
    open: () => Promise<Result<TokenPair, C>>,
  ): Promise<Result<SignedIn, C | 'INVALID_CREDENTIALS'>> {
    if (!user.hasSecondFactor || provesTwoFactors(signIn)) return open();
    return this.unitOfWork.transaction<SignedIn, C | 'INVALID_CREDENTIALS'>(async () => {
      const current = await this.users.lockEnabled(user.id);
      if (!current || current.passwordHash !== user.passwordHash) return err(AuthFailures.invalidCredentials);
      if (await this.isTrusted(user.id)) return open();
      const browser = { ...currentDevice(), isKnown: this.devices.isKnown(user.id) };
      const ticket = await this.tickets.issue({ userId: user.id, signIn, tenantId, browser });
      await this.events.publish(new SecondFactorAsked(user.id));
      const methods = factorMethods(await this.passkeys.existsFor(user.id));
      return ok(new SecondFactorNeeded(ticket, methods, TICKET_SECONDS));
    });
  }

  private async isTrusted(userId: string): Promise<boolean> {
    const deviceId = this.devices.idFor(userId);
    return deviceId !== undefined && this.trustedBrowsers.isTrusted(userId, deviceId, this.clock.now());
  }
}
