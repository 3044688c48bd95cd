import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UserHandle } from '../domain/user-handle';

/** The names by which authenticators know users. */
@Injectable()
export class UserHandleRepository extends EntityRepository<UserHandle> {
  constructor(unitOfWork: UnitOfWork) {
    super(UserHandle, unitOfWork);
  }

  /** The handle of a user whose row this transaction has locked; created if there is none. */
  async ensure(userId: string): Promise<Buffer> {
    const stored = await this.rows.findOneBy({ userId });
    if (stored) return stored.handle;
    const created = UserHandle.create(userId);
    await this.insert(created);
    return created.handle;
  }

  isOf(userId: string, handle: Buffer): Promise<boolean> {
    return this.rows.existsBy({ userId, handle });
  }
}
