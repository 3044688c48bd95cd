import { Injectable } from '@nestjs/common';
import type { Actor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents, type DomainEvent } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AdminCheck } from '../../users/users.api';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import type { WebhookEndpoint } from '../domain/webhook-endpoint';

/** Changes endpoints of any tenant for operators. */
@Injectable()
export class OperatorChanges {
  constructor(
    private readonly adminCheck: AdminCheck,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Changes an endpoint in a transaction of its tenant. NOT_FOUND; FORBIDDEN if the operator's
   * admin flag was revoked after the token was issued.
   * @param change changes the locked endpoint; undefined: nothing is to be changed
   */
  async apply(
    actor: Actor,
    id: string,
    change: (endpoint: WebhookEndpoint) => DomainEvent | undefined,
  ): Promise<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
    const found = await this.unitOfWork.acrossTenants(async () => ok(await this.endpoints.tenantOf(id)));
    const tenantId = found.ok ? found.value : undefined;
    if (!tenantId) return err(PlatformFailures.notFound);
    return this.unitOfWork.inTenant({ tenantId }, async () => {
      const allowed = await this.adminCheck.requireAdmin(actor.userId);
      if (!allowed.ok) return allowed;
      const endpoint = await this.endpoints.lock(tenantId, id);
      if (!endpoint) return err(PlatformFailures.notFound);
      const event = change(endpoint);
      if (!event) return ok();
      await this.endpoints.save(endpoint);
      await this.events.publish(event);
      return ok();
    });
  }
}
