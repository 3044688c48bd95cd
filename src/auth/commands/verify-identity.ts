import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { SecondFactorVerifier, type FactorFailure, type FactorProof } from '../../factors/factors.api';
import { UserRepository } from '../../users/users.api';
import { SessionRepository } from '../data/session.repository';
import type { ProofMethod } from '../domain/session';
import { EmailCodes } from '../services/email-codes';
import { KnownDevices } from '../services/known-devices';
import { PasswordVerifier } from '../services/password-verifier';
import { StepUpMethods } from '../services/step-up-methods';

/** What proves an identity. */
export type IdentityProof =
  | { readonly method: 'password'; readonly password: string }
  | { readonly method: 'email-code'; readonly emailCode: string }
  | FactorProof;

type ProofFailure = FactorFailure | 'EMAIL_CODE_INVALID' | 'INVALID_CREDENTIALS';

/**
 * Proves the identity of the caller in the current session, for routes with `@Fresh` (RFC 9470).
 * VALIDATION_ERROR if the account needs another method (see `StepUpMethods`); SESSION_ENDED; what
 * the proof fails with.
 */
export class VerifyIdentity extends Command<
  Result<void, ProofFailure | 'SESSION_ENDED' | 'UNAUTHENTICATED' | 'UNAVAILABLE' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: Pick<Actor, 'userId' | 'tokenId'>,
    readonly proof: IdentityProof,
  ) {
    super();
  }
}

@CommandHandler(VerifyIdentity)
export class VerifyIdentityHandler implements ICommandHandler<VerifyIdentity> {
  constructor(
    private readonly users: UserRepository,
    private readonly stepUpMethods: StepUpMethods,
    private readonly sessions: SessionRepository,
    private readonly passwordVerifier: PasswordVerifier,
    private readonly secondFactor: SecondFactorVerifier,
    private readonly emailCodes: EmailCodes,
    private readonly devices: KnownDevices,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, proof }: VerifyIdentity) {
    const user = await this.users.findById(actor.userId);
    if (!user) return err(PlatformFailures.unauthenticated);
    const allowed = await this.stepUpMethods.check(user, proof.method);
    if (!allowed.ok) return allowed;
    const { tokenId } = actor;
    if (proof.method !== 'password' && proof.method !== 'email-code')
      return this.secondFactor.within(
        user.id,
        proof,
        this.devices.isKnown(user.id) ? 'known' : 'other',
        () => Promise.resolve<Result>(ok()),
        (_, method) => this.confirm(tokenId, method),
      );
    const verified =
      proof.method === 'password'
        ? await this.passwordVerifier.verify(user, user.email, proof.password)
        : await this.emailCodes.use(user.id, 'step-up', proof.emailCode);
    return verified.ok ? this.unitOfWork.transaction(() => this.confirm(tokenId, proof.method)) : verified;
  }

  private async confirm(tokenId: string, method: ProofMethod): Promise<Result<void, 'SESSION_ENDED'>> {
    const now = this.clock.now();
    const session = await this.sessions.lockByAccessToken(tokenId);
    if (!session?.isLive(now)) return err(PlatformFailures.sessionEnded);
    session.prove(method, now);
    await this.sessions.save(session);
    return ok();
  }
}
