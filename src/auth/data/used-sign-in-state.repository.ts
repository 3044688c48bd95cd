import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { UsedSignInState } from '../domain/used-sign-in-state';

/** The used states of sign-ins with a provider. */
@Injectable()
export class UsedSignInStateRepository extends EntityRepository<UsedSignInState> {
  constructor(unitOfWork: UnitOfWork) {
    super(UsedSignInState, unitOfWork);
  }

  /** @returns false if the state was used before; of two concurrent calls, one succeeds */
  add(state: UsedSignInState): Promise<boolean> {
    return this.insertUnlessStored(state);
  }

  /** Deletes the states that expired until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('expiresAt', until, limit);
  }
}
