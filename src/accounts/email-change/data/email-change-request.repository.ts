import { Injectable } from '@nestjs/common';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { EmailChangeRequest } from '../domain/email-change-request';

/** Requests to change an address, one for each account. Lock the account before its request. */
@Injectable()
export class EmailChangeRequestRepository extends EntityRepository<EmailChangeRequest> {
  constructor(unitOfWork: UnitOfWork) {
    super(EmailChangeRequest, unitOfWork);
  }

  find(userId: string): Promise<EmailChangeRequest | null> {
    return this.rows.findOneBy({ userId });
  }

  /** Adds the first request of an account that this transaction has locked. */
  add(request: EmailChangeRequest): Promise<void> {
    return this.insert(request);
  }

  /** Saves the request of an account that this transaction has locked. */
  save(request: EmailChangeRequest): Promise<void> {
    return this.updateLater(request);
  }

  /** Deletes the requests that began until a time. @returns how many were deleted */
  purge(until: Date, limit: number): Promise<number> {
    return this.deleteUpTo('since', until, limit);
  }
}
