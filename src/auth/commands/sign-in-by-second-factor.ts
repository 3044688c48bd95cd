import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { err, ok, type Result } from '../../platform/result';
import {
  SecondFactorVerifier,
  type FactorFailure,
  type FactorMethod,
  type FactorProof,
} from '../../factors/factors.api';
import { UserRepository, type User } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { SignInTicketRepository } from '../data/sign-in-ticket.repository';
import { TrustedBrowserRepository } from '../data/trusted-browser.repository';
import type { SignInTicket } from '../domain/sign-in-ticket';
import type { TokenPair } from '../domain/token-pair';
import { TrustedBrowser } from '../domain/trusted-browser';
import { currentDevice } from '../services/current-device';
import { KnownDevices } from '../services/known-devices';
import { SessionIssuer } from '../services/session-issuer';
import { securityMailNow } from './send-security-mail';

/**
 * Completes a sign-in with its ticket and a second factor. With `trustBrowser`, the next sign-ins
 * with this browser need none for 30 days. TICKET_INVALID, also after five attempts; why the second
 * factor is refused (FactorFailure); ACCOUNT_DISABLED.
 */
export class SignInBySecondFactor extends Command<
  Result<TokenPair, FactorFailure | 'ACCOUNT_DISABLED' | 'TICKET_INVALID'>
> {
  constructor(
    readonly ticket: string,
    readonly proof: FactorProof,
    readonly trustBrowser = false,
  ) {
    super();
  }
}

@CommandHandler(SignInBySecondFactor)
export class SignInBySecondFactorHandler implements ICommandHandler<SignInBySecondFactor> {
  constructor(
    private readonly tickets: SignInTicketRepository,
    private readonly secondFactor: SecondFactorVerifier,
    private readonly users: UserRepository,
    private readonly trustedBrowsers: TrustedBrowserRepository,
    private readonly devices: KnownDevices,
    private readonly issuer: SessionIssuer,
    private readonly clock: Clock,
  ) {}

  async execute({ ticket, proof, trustBrowser }: SignInBySecondFactor) {
    const attempt = await this.tickets.countAttempt(ticket);
    if (!attempt) return err(AuthFailures.ticketInvalid);
    return this.secondFactor.within(
      attempt.userId,
      proof,
      this.devices.isKnown(attempt.userId) ? 'known' : 'other',
      () => this.lockUser(attempt),
      (user, method) => this.open(user, attempt, method, trustBrowser),
    );
  }

  /** Of concurrent uses of one ticket, one finds it. If the proof is wrong, the ticket stays. */
  private async lockUser(ticket: SignInTicket): Promise<Result<User, 'TICKET_INVALID'>> {
    const user = await this.users.lock(ticket.userId);
    return user && (await this.tickets.use(ticket)) ? ok(user) : err(AuthFailures.ticketInvalid);
  }

  private async open(user: User, ticket: SignInTicket, secondFactor: FactorMethod, trustBrowser: boolean) {
    if (trustBrowser) await this.trust(user.id);
    const newDeviceJob = securityMailNow(user.id, 'new-device', this.clock.now());
    const options = { tenantId: ticket.activeTenantId ?? undefined, newDeviceJob };
    return this.issuer.openLocked(user, { ...ticket.signIn, secondFactor }, options);
  }

  /** A client without cookies cannot be recognized, and is not trusted. */
  private async trust(userId: string): Promise<void> {
    const deviceId = this.devices.currentId;
    if (deviceId === undefined) return;
    await this.trustedBrowsers.trust(TrustedBrowser.of(userId, deviceId, currentDevice(), this.clock.now()));
  }
}
