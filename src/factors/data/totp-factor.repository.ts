import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { TotpFactor } from '../domain/totp-factor';

/** Authenticator apps, at most one for each user. */
@Injectable()
export class TotpFactorRepository extends EntityRepository<TotpFactor> {
  constructor(unitOfWork: UnitOfWork) {
    super(TotpFactor, unitOfWork);
  }

  add(factor: TotpFactor): Promise<void> {
    return this.insert(factor);
  }

  /** The factor of a user, locked until the transaction ends. */
  lock(userId: string): Promise<TotpFactor | null> {
    return this.lockOne({ userId });
  }

  /** Saves a factor that this transaction has locked. */
  save(factor: TotpFactor): Promise<void> {
    return this.updateLater(factor);
  }

  /** @returns false if the user has none */
  async remove(userId: string): Promise<boolean> {
    return (await this.rows.delete({ userId })).affected === 1;
  }
}
