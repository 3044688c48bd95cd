import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Notifier } from '../../notifications/notifications.api';
import { TenantOwners } from '../../tenants/tenants.api';
import { AuditStreamDisabled } from '../audit-streams.events';

/** Notifies the Owner of a stream that was disabled. */
@Injectable()
export class NotifyOwnerOnAuditStreamDisabled implements OnModuleInit {
  constructor(
    private readonly notifier: Notifier,
    private readonly owners: TenantOwners,
  ) {}

  onModuleInit(): void {
    this.notifier.on(AuditStreamDisabled, ['AuditStreamDisabled'], async (events) => {
      const owners = await this.owners.of(events.map(({ stream }) => stream.tenantId));
      return events.flatMap(({ stream: { tenantId, id, host } }) => {
        const owner = owners.get(tenantId);
        if (!owner) return [];
        const data = { streamId: id, host };
        return [{ kind: 'AuditStreamDisabled' as const, tenantId, userId: owner.userId, data }];
      });
    });
  }
}
