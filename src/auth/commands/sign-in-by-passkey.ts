import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  FactorFailures,
  PasskeyVerifier,
  type PasskeyAssertion,
  type VerifiedPasskey,
} from '../../factors/factors.api';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { err, excluding, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import type { SignedIn } from '../services/second-factor-tickets';
import { SessionIssuer } from '../services/session-issuer';
import { securityMailNow } from './send-security-mail';

type Failure = 'ACCOUNT_DISABLED' | 'EMAIL_NOT_VERIFIED' | 'PASSKEY_UNKNOWN';

/**
 * Signs the owner of a passkey in. It counts as two factors, because its authenticator has verified
 * the user. CHALLENGE_EXPIRED; PASSKEY_INVALID; PASSKEY_UNKNOWN; EMAIL_NOT_VERIFIED;
 * ACCOUNT_DISABLED.
 */
export class SignInByPasskey extends Command<Result<SignedIn, Failure | 'CHALLENGE_EXPIRED' | 'PASSKEY_INVALID'>> {
  constructor(readonly assertion: PasskeyAssertion) {
    super();
  }
}

@CommandHandler(SignInByPasskey)
export class SignInByPasskeyHandler implements ICommandHandler<SignInByPasskey> {
  constructor(
    private readonly passkeys: PasskeyVerifier,
    private readonly users: UserRepository,
    private readonly issuer: SessionIssuer,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ assertion }: SignInByPasskey) {
    const verified = await this.passkeys.verify(assertion);
    return verified.ok ? this.open(verified.value) : verified;
  }

  private open(verified: VerifiedPasskey) {
    return this.unitOfWork.transaction<SignedIn, Failure>(async () => {
      const user = await this.users.lock(verified.userId);
      if (!user) return err(FactorFailures.passkeyUnknown);
      const passkey = await this.passkeys.use(verified);
      if (!passkey.ok) return passkey;
      const newDeviceJob = securityMailNow(user.id, 'new-device', this.clock.now());
      const signIn = { method: 'passkey', isProven: passkey.value.isProven } as const;
      // the account is locked, so that it cannot have changed
      return excluding(await this.issuer.open(user, signIn, { newDeviceJob }), 'INVALID_CREDENTIALS');
    });
  }
}
