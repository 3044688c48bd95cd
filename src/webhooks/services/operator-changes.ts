import { Injectable } from '@nestjs/common';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents, type DomainEvent } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck } from '../../users/users.api';
import type { ReceiverRepository } from '../data/receiver.repository';
import type { SignedReceiver } from '../domain/signed-receiver';

/** Changes receivers of any tenant for operators. */
@Injectable()
export class OperatorChanges {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Changes a receiver in a transaction of its tenant. NOT_FOUND; FORBIDDEN if the operator's
   * admin flag was revoked after the token was issued.
   * @param change changes the locked receiver; undefined: nothing is to be changed
   */
  async apply<R extends SignedReceiver>(
    actor: Actor,
    repository: ReceiverRepository<R>,
    id: string,
    change: (receiver: R) => DomainEvent | undefined,
  ): Promise<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
    const found = await this.unitOfWork.acrossTenants(async () => ok(await repository.tenantOf(id)));
    const tenantId = found.ok ? found.value : undefined;
    if (!tenantId) return err(PlatformFailures.notFound);
    return this.unitOfWork.inTenant({ tenantId }, async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const receiver = await repository.lock(tenantId, id);
      if (!receiver) return err(PlatformFailures.notFound);
      const event = change(receiver);
      if (!event) return ok();
      await repository.save(receiver);
      await this.events.publish(event);
      return ok();
    });
  }
}
