import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { TotpFactorRepository } from '../data/totp-factor.repository';
import { base32, newTotpSecret, otpauthUri } from '../domain/totp';
import { TotpFactor } from '../domain/totp-factor';
import { FactorFailures } from '../factors.failures';
import type { TotpEnrolmentView } from '../http/views/factors.views';
import { TotpSecrets } from '../services/totp-secrets';

/** The service, as authenticator apps show it. */
const ISSUER = 'Tenantry';

/**
 * Creates the secret of an authenticator app, which is shown only now. The app is a second factor
 * after its first code was entered (EnableTotp); a repeated call replaces the secret until then.
 * FACTOR_EXISTS.
 */
export class StartTotpEnrolment extends Command<Result<TotpEnrolmentView, 'FACTOR_EXISTS' | 'UNAUTHENTICATED'>> {
  constructor(readonly actor: Pick<Actor, 'userId'>) {
    super();
  }
}

@CommandHandler(StartTotpEnrolment)
export class StartTotpEnrolmentHandler implements ICommandHandler<StartTotpEnrolment> {
  constructor(
    private readonly users: UserRepository,
    private readonly totpFactors: TotpFactorRepository,
    private readonly secrets: TotpSecrets,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor: { userId } }: StartTotpEnrolment) {
    const secret = newTotpSecret();
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(userId);
      if (!user) return err(PlatformFailures.unauthenticated);
      const known = await this.totpFactors.lock(userId);
      if (known?.isConfirmed) return err(FactorFailures.factorExists);
      await this.store(known, userId, this.secrets.seal(userId, secret));
      return ok({ otpauthUri: otpauthUri(secret, ISSUER, user.email), secret: base32(secret) });
    });
  }

  private store(known: TotpFactor | null, userId: string, secretEnc: string): Promise<void> {
    const now = this.clock.now();
    if (!known) return this.totpFactors.add(TotpFactor.start(userId, secretEnc, now));
    known.restart(secretEnc, now);
    return this.totpFactors.save(known);
  }
}
