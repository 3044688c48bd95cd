import { Injectable } from '@nestjs/common';
import { Between, LessThanOrEqual, MoreThanOrEqual } from 'typeorm';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { EmailChange } from '../domain/email-change';

/** Changes of addresses. Lock the account before its changes. */
@Injectable()
export class EmailChangeRepository extends EntityRepository<EmailChange> {
  constructor(unitOfWork: UnitOfWork) {
    super(EmailChange, unitOfWork);
  }

  find(id: string): Promise<EmailChange | null> {
    return this.rows.findOneBy({ id });
  }

  findByToken(undoTokenHash: Buffer): Promise<EmailChange | null> {
    return this.rows.findOneBy({ undoTokenHash });
  }

  /** The stored changes of an account. A limit on its open changes bounds them. */
  list(userId: string): Promise<EmailChange[]> {
    return this.rows.find({ where: { userId }, order: { number: 'ASC' } });
  }

  /** Adds a change of an account that this transaction has locked. */
  add(change: EmailChange): Promise<void> {
    return this.insert(change);
  }

  /** Stores the token that undoes a change, unless it was undone in the meantime. */
  async storeToken({ id }: EmailChange, undoTokenHash: Buffer): Promise<void> {
    await this.updateBy({ id }, { undoTokenHash });
  }

  /**
   * Lets a change be undone until a time, and all earlier ones that could be undone when it was
   * made: the owner of an earlier mailbox always has the last word.
   */
  async extend({ userId, number, changedAt }: EmailChange, until: Date): Promise<void> {
    const isOpen = { userId, number: LessThanOrEqual(number), undoUntil: Between(changedAt, until) };
    await this.updateBy(isOpen, { undoUntil: until });
  }

  /** Removes a change of an account that this transaction has locked, and all later ones. */
  async removeFrom({ userId, number }: EmailChange): Promise<void> {
    await this.rows.delete({ userId, number: MoreThanOrEqual(number) });
  }

  /** Deletes the changes that could be undone until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('undoUntil', until, limit);
  }
}
