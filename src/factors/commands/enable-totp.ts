import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { TotpFactorRepository } from '../data/totp-factor.repository';
import { SecondFactorAdded, type FactorActor } from '../factors.events';
import { FactorFailures } from '../factors.failures';
import type { RecoveryCodesView } from '../http/views/factors.views';
import { RecoveryCodeIssuer } from '../services/recovery-code-issuer';
import { TotpSecrets } from '../services/totp-secrets';

/**
 * Makes an authenticator app the second factor, with its first code, and returns the recovery
 * codes, which are shown only now. Ends the caller's other sessions, which have proven one factor
 * only. NOT_FOUND without StartTotpEnrolment; FACTOR_EXISTS; SECOND_FACTOR_INVALID.
 */
export class EnableTotp extends Command<
  Result<RecoveryCodesView, 'FACTOR_EXISTS' | 'NOT_FOUND' | 'SECOND_FACTOR_INVALID' | 'UNAUTHENTICATED'>
> {
  constructor(
    readonly actor: FactorActor,
    readonly code: string,
  ) {
    super();
  }
}

@CommandHandler(EnableTotp)
export class EnableTotpHandler implements ICommandHandler<EnableTotp> {
  constructor(
    private readonly users: UserRepository,
    private readonly totpFactors: TotpFactorRepository,
    private readonly recoveryCodes: RecoveryCodeIssuer,
    private readonly secrets: TotpSecrets,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Attempts are not counted: the caller has just been shown the secret. */
  execute({ actor, code }: EnableTotp) {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(actor.userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      const factor = await this.totpFactors.lock(actor.userId);
      if (!factor) return err(FactorFailures.noFactor);
      if (factor.isConfirmed) return err(FactorFailures.factorExists);
      const secret = this.secrets.open(user.id, factor.secretEnc);
      const accepted = factor.accept(code, secret, 'other', this.clock.now());
      if (!accepted.ok) return accepted;
      await this.totpFactors.save(factor);
      user.useSecondFactor(true);
      await this.users.save(user);
      const recoveryCodes = await this.recoveryCodes.issue(user.id);
      await this.events.publish(new SecondFactorAdded(actor, 'totp'));
      return ok({ recoveryCodes });
    });
  }
}
