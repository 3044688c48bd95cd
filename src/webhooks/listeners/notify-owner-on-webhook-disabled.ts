import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifier } from '../../notifications/notifications.api';
import { TenantOwners } from '../../tenants/tenants.api';
import { WebhookEndpointDisabled } from '../webhooks.events';

/** Notifies the Owner of an endpoint that was disabled. */
@Injectable()
export class NotifyOwnerOnWebhookDisabled implements OnModuleInit {
  constructor(
    private readonly notifier: Notifier,
    private readonly owners: TenantOwners,
  ) {}

  onModuleInit(): void {
    this.notifier.on(WebhookEndpointDisabled, ['WebhookDisabled'], async (events) => {
      const owners = await this.owners.of(events.map(({ endpoint }) => endpoint.tenantId));
      return events.flatMap(({ endpoint: { tenantId, id, host } }) => {
        const owner = owners.get(tenantId);
        if (!owner) return [];
        const data = { endpointId: id, host };
        return [{ kind: 'WebhookDisabled' as const, tenantId, userId: owner.userId, data }];
      });
    });
  }
}
