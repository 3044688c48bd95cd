import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { RecoveryCode, recoveryCodeHash } from '../domain/recovery-code';

/** The unused recovery codes. */
@Injectable()
export class RecoveryCodeRepository extends EntityRepository<RecoveryCode> {
  constructor(unitOfWork: UnitOfWork) {
    super(RecoveryCode, unitOfWork);
  }

  /** Replaces all codes of a user; without codes it removes them. */
  async replaceAll(userId: string, codes: readonly RecoveryCode[]): Promise<void> {
    await this.rows.delete({ userId });
    if (codes.length > 0) await this.rows.insert([...codes]);
  }

  /** Uses a code up. @returns false if it is unknown; of two concurrent uses, one succeeds */
  async use(userId: string, code: string): Promise<boolean> {
    return (await this.deleteBy({ userId, codeHash: recoveryCodeHash(code) })).length === 1;
  }

  /** The number of unused codes of a user. */
  count(userId: string): Promise<number> {
    return this.rows.countBy({ userId });
  }
}
