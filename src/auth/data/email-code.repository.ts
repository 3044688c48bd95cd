import { Injectable } from '@nestjs/common';
import { LessThan, MoreThan } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { EmailCode, MAX_CODE_ATTEMPTS, type CodePurpose } from '../domain/email-code';

/** Emailed codes, at most one for each user and purpose. */
@Injectable()
export class EmailCodeRepository extends EntityRepository<EmailCode> {
  constructor(unitOfWork: UnitOfWork) {
    super(EmailCode, unitOfWork);
  }

  /** Stores a code in place of an earlier one. */
  async put(code: EmailCode): Promise<void> {
    await this.rows.upsert(code, ['userId', 'purpose']);
  }

  /** Counts an attempt before codes are compared. @returns undefined if there is no open code */
  async countAttempt(userId: string, purpose: CodePurpose, now: Date): Promise<EmailCode | undefined> {
    const isOpen = { userId, purpose, attempts: LessThan(MAX_CODE_ATTEMPTS), expiresAt: MoreThan(now) };
    return (await this.updateBy(isOpen, { attempts: () => 'attempts + 1' }))[0];
  }

  /** Uses a code up. @returns false if it was used before; of two concurrent uses, one succeeds */
  async use({ userId, purpose, codeHash }: EmailCode): Promise<boolean> {
    return (await this.deleteBy({ userId, purpose, codeHash })).length === 1;
  }

  /** Deletes the codes that expired until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }
}
