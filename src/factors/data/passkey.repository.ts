import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Passkey } from '../domain/passkey';

/** Passkeys. Lock the account before adding or removing one. */
@Injectable()
export class PasskeyRepository extends EntityRepository<Passkey> {
  constructor(unitOfWork: UnitOfWork) {
    super(Passkey, unitOfWork);
  }

  /** @returns false if an account already has the credential */
  add(passkey: Passkey): Promise<boolean> {
    return this.insertUnlessStored(passkey);
  }

  find(id: Buffer): Promise<Passkey | null> {
    return this.rows.findOneBy({ id });
  }

  /** The passkey, locked until the transaction ends. */
  lock(id: Buffer): Promise<Passkey | null> {
    return this.lockOne({ id });
  }

  /** Saves a passkey that this transaction has locked. */
  save(passkey: Passkey): Promise<void> {
    return this.updateLater(passkey);
  }

  /** The passkeys of a user. */
  listByUser(userId: string): Promise<Passkey[]> {
    return this.rows.findBy({ userId });
  }

  /** Whether a user has any. */
  existsFor(userId: string): Promise<boolean> {
    return this.rows.existsBy({ userId });
  }

  /** @returns the passkey after the change; undefined if the user has no such passkey */
  async rename(userId: string, id: Buffer, name: string): Promise<Passkey | undefined> {
    return (await this.updateBy({ userId, id }, { name }))[0];
  }

  /** The session that added the passkey started with proof of the mailbox. */
  async markProven(id: Buffer): Promise<void> {
    await this.updateBy({ id }, { isProven: true });
  }

  /** @returns the removed passkey; undefined if the user has no such passkey */
  async remove(userId: string, id: Buffer): Promise<Passkey | undefined> {
    return (await this.deleteBy({ userId, id }))[0];
  }

  /** Removes all passkeys of a user. @returns the removed ones */
  removeAll(userId: string): Promise<Passkey[]> {
    return this.deleteBy({ userId });
  }
}
