import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { RecoveryCodeRepository } from '../data/recovery-code.repository';
import { newRecoveryCode, RECOVERY_CODES, RecoveryCode } from '../domain/recovery-code';

/** Issues recovery codes. */
@Injectable()
export class RecoveryCodeIssuer {
  constructor(
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly clock: Clock,
  ) {}

  /** Ten new codes in place of all earlier ones; inside a transaction. Only hashes are stored. */
  async issue(userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const now = this.clock.now();
    await this.recoveryCodes.replaceAll(
      userId,
      codes.map((code) => RecoveryCode.of(userId, code, now)),
    );
    return codes;
  }
}
