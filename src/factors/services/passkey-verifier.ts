import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { PasskeyChallengeRepository } from '../data/passkey-challenge.repository';
import { PasskeyRepository } from '../data/passkey.repository';
import { UserHandleRepository } from '../data/user-handle.repository';
import { passkeyIdOf, type Passkey, type PasskeyUse } from '../domain/passkey';
import type { PasskeyAssertion } from '../domain/passkey-response';
import { PasskeyCounterWentBack } from '../factors.events';
import { FactorFailures } from '../factors.failures';
import { WebauthnVerifier } from './webauthn-verifier';

/** A passkey that has signed a challenge. */
export interface VerifiedPasskey extends PasskeyUse, Pick<Passkey, 'id' | 'userId'> {}

/** Verifies the signatures of passkeys. */
@Injectable()
export class PasskeyVerifier {
  constructor(
    private readonly challenges: PasskeyChallengeRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly handles: UserHandleRepository,
    private readonly webauthn: WebauthnVerifier,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies a signature, whose challenge is used up in any case; outside of a transaction. Then
   * call `use` in the transaction of what the passkey allows.
   * @param userId whose passkey it must be; undefined for anyone's
   * @returns CHALLENGE_EXPIRED; PASSKEY_UNKNOWN if no account has it; PASSKEY_INVALID
   */
  async verify(
    assertion: PasskeyAssertion,
    userId?: string,
  ): Promise<Result<VerifiedPasskey, 'CHALLENGE_EXPIRED' | 'PASSKEY_INVALID' | 'PASSKEY_UNKNOWN'>> {
    const challenge = await this.webauthn.challengeIn(assertion);
    if (challenge === undefined) return err(FactorFailures.passkeyInvalid);
    if (!(await this.challenges.useForAnyone(challenge))) return err(FactorFailures.challengeExpired);
    const passkey = await this.passkeys.find(passkeyIdOf(assertion.id));
    if (!passkey) return err(FactorFailures.passkeyUnknown);
    const used = (await this.isOf(userId, passkey, assertion))
      ? await this.webauthn.use(assertion, challenge, passkey)
      : undefined;
    return used ? ok({ ...used, id: passkey.id, userId: passkey.userId }) : err(FactorFailures.passkeyInvalid);
  }

  /**
   * Records that a passkey has signed; in a transaction, which has locked the account.
   * @returns the passkey; PASSKEY_UNKNOWN if it was removed since it was verified
   */
  async use(verified: VerifiedPasskey): Promise<Result<Passkey, 'PASSKEY_UNKNOWN'>> {
    const passkey = await this.passkeys.lock(verified.id);
    if (!passkey) return err(FactorFailures.passkeyUnknown);
    const wentBack = passkey.use(verified, this.clock.now());
    await this.passkeys.save(passkey);
    if (wentBack) await this.events.publish(new PasskeyCounterWentBack(passkey));
    return ok(passkey);
  }

  /**
   * Whether a passkey is of this user. The authenticator must name its owner as well, unless the
   * user is known already (WebAuthn Level 3, section 7.2, step 6).
   */
  private async isOf(
    userId: string | undefined,
    passkey: Passkey,
    { response: { userHandle } }: PasskeyAssertion,
  ): Promise<boolean> {
    if (userId !== undefined && passkey.userId !== userId) return false;
    if (userHandle === undefined) return userId !== undefined;
    return this.handles.isOf(passkey.userId, Buffer.from(userHandle, 'base64url'));
  }
}
