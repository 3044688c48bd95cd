import { Injectable } from '@nestjs/common';
import { LessThan, MoreThan } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { EmailCode, MAX_CODE_ATTEMPTS, type CodePurpose } from '../domain/email-code';

/** Emailed codes of a user and purpose: the one that was sent last, and one that is being sent. */
@Injectable()
export class EmailCodeRepository extends EntityRepository<EmailCode> {
  constructor(unitOfWork: UnitOfWork) {
    super(EmailCode, unitOfWork);
  }

  /** Stores a code that is being sent, beside the one that was sent. */
  async put(code: EmailCode): Promise<void> {
    await this.rows.upsert(code, ['userId', 'purpose', 'codeHash']);
  }

  /** Counts an attempt before codes are compared. @returns the open codes */
  countAttempt(userId: string, purpose: CodePurpose, now: Date): Promise<EmailCode[]> {
    const isOpen = { userId, purpose, attempts: LessThan(MAX_CODE_ATTEMPTS), expiresAt: MoreThan(now) };
    return this.updateBy(isOpen, { attempts: () => 'attempts + 1' });
  }

  /**
   * Uses a code up, and with it the others of the user and purpose.
   * @returns false if it was used before; of two concurrent uses, one succeeds
   */
  async use({ userId, purpose, codeHash }: EmailCode): Promise<boolean> {
    return (await this.deleteBy({ userId, purpose })).some((code) => code.codeHash.equals(codeHash));
  }

  /** Deletes the codes that were issued before this one, which was sent. */
  async deleteEarlier({ userId, purpose, expiresAt }: EmailCode): Promise<void> {
    await this.rows.delete({ userId, purpose, expiresAt: LessThan(expiresAt) });
  }

  /** Withdraws a code that was not sent. */
  async withdraw({ userId, purpose, codeHash }: EmailCode): Promise<void> {
    await this.rows.delete({ userId, purpose, codeHash });
  }

  /** Deletes the codes that expired until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }
}
