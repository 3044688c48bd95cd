import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { OwnershipTransferred, TenantOwners } from '../../tenants/tenants.api';
import { BillingNoticeIssued } from '../billing.events';
import { SubscriptionRepository } from '../subscriptions/data/subscription.repository';

/** Gives a new Owner the notices that the earlier Owner has got and that still ask to act. */
@Injectable()
export class NotifyOwnerOnOwnershipTransferred implements OnModuleInit {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly tenantOwners: TenantOwners,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.events.on(OwnershipTransferred, async ([{ tenantId }]) => {
      const subscription = await this.subscriptions.find(tenantId!);
      const notices = subscription?.openNotices(this.clock.now()) ?? [];
      const owner = notices.length > 0 ? (await this.tenantOwners.of([tenantId!])).get(tenantId!) : undefined;
      if (!owner) return;
      const { plan } = subscription!;
      await this.events.publish(...notices.map((notice) => new BillingNoticeIssued(owner, plan, notice)));
    });
  }
}
