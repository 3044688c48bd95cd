import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { passkeyView } from '../data/passkey.columns';
import { PasskeyChallengeRepository } from '../data/passkey-challenge.repository';
import { PasskeyRepository } from '../data/passkey.repository';
import { MAX_PASSKEYS, Passkey, type NewCredential } from '../domain/passkey';
import type { PasskeyRegistration } from '../domain/passkey-response';
import { PasskeyAdded, type FactorActor } from '../factors.events';
import { FactorFailures } from '../factors.failures';
import type { PasskeyView } from '../http/views/passkeys.views';
import { WebauthnVerifier } from '../services/webauthn-verifier';

type Failure = 'CHALLENGE_EXPIRED' | 'LIMIT_REACHED' | 'PASSKEY_INVALID' | 'UNAUTHENTICATED';

/**
 * Adds a passkey that the caller's authenticator has created. It signs in from now on. The
 * challenge is used up in any case. CHALLENGE_EXPIRED; PASSKEY_INVALID; LIMIT_REACHED.
 */
export class RegisterPasskey extends Command<Result<PasskeyView, Failure>> {
  constructor(
    readonly actor: FactorActor,
    readonly response: PasskeyRegistration,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(RegisterPasskey)
export class RegisterPasskeyHandler implements ICommandHandler<RegisterPasskey> {
  constructor(
    private readonly users: UserRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly challenges: PasskeyChallengeRepository,
    private readonly webauthn: WebauthnVerifier,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, response, name }: RegisterPasskey) {
    const challenge = await this.webauthn.challengeIn(response);
    if (challenge === undefined) return err(FactorFailures.passkeyInvalid);
    if (!(await this.challenges.useFor(actor.userId, challenge))) return err(FactorFailures.challengeExpired);
    const credential = await this.webauthn.newCredential(response, challenge);
    return credential ? this.add(actor, credential, name) : err(FactorFailures.passkeyInvalid);
  }

  private add(actor: FactorActor, credential: NewCredential, name: string) {
    return this.unitOfWork.transaction<PasskeyView, Failure>(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      if ((await this.passkeys.listByUser(user.id)).length >= MAX_PASSKEYS) return err(FactorFailures.tooManyPasskeys);
      const passkey = Passkey.add(user.id, name, credential, this.clock.now());
      if (!(await this.passkeys.add(passkey))) return err(FactorFailures.passkeyInvalid); // another account has it
      await this.events.publish(new PasskeyAdded(actor, passkey));
      return ok(passkeyView(passkey));
    });
  }
}
