import { Injectable } from '@nestjs/common';
import { Any, LessThan } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { ErasedPerson } from '../../platform/erasure-steps';
import { firstIdAt } from '../../platform/ids';
import { WebhookMessage } from '../domain/webhook-message';

/** Deletes messages, with their deliveries, that name the address of a deleted account. */
@Injectable()
export class MessageErasure extends EntityRepository<WebhookMessage> {
  constructor(unitOfWork: UnitOfWork) {
    super(WebhookMessage, unitOfWork);
  }

  /**
   * Runs across tenants: one that the person was never in may have invited the address.
   * @returns how many were deleted, at most `limit`
   */
  erase({ emails, erasedAt }: ErasedPerson, limit: number): Promise<number> {
    return this.deleteSome({ email: Any(emails), id: LessThan(firstIdAt(erasedAt)), isPending: false }, limit);
  }
}
