import { CacheModule } from '@nestjs/cache-manager';
import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { Redis } from '../platform/redis';
import { TenantsModule } from '../tenants/tenants.module';
import { UsersModule } from '../users/users.module';
import { BillingMetrics } from './billing-metrics';
import { BillingSchedule } from './billing.schedule';
import { cacheOptions } from './cache-store';
import { BeginCheckoutHandler } from './commands/begin-checkout';
import { BeginSyncHandler } from './commands/begin-sync';
import { CloseCustomerHandler } from './commands/close-customer';
import { DescribeCustomerHandler } from './commands/describe-customer';
import { OpenPortalHandler } from './commands/open-portal';
import { OverrideSubscriptionHandler } from './commands/override-subscription';
import { PurgeWebhookEventsHandler } from './commands/purge-webhook-events';
import { ReceiveEventHandler } from './commands/receive-event';
import { RemindOfTrialEndsHandler } from './commands/remind-of-trial-ends';
import { ReplayWebhookEventHandler } from './commands/replay-webhook-event';
import { SendPaymentMailHandler } from './commands/send-payment-mail';
import { SyncNowHandler } from './commands/sync-now';
import { SyncSubscriptionHandler } from './commands/sync-subscription';
import { SyncSubscriptionsHandler } from './commands/sync-subscriptions';
import { SyncTenantHandler } from './commands/sync-tenant';
import { CustomerDesk } from './customer-desk';
import { CustomerUpdates } from './customer-updates';
import { SubscriptionRepository } from './data/subscription.repository';
import { SyncRunRepository } from './data/sync-run.repository';
import { WebhookEventRepository } from './data/webhook-event.repository';
import { EventProcessing } from './event-processing';
import { Farewell } from './farewell';
import { BillingController } from './http/billing.controller';
import { WebhooksController } from './http/webhooks.controller';
import { InvitationLimits } from './invitation-limits';
import { Mirroring } from './mirroring';
import { PageComparison } from './page-comparison';
import { PlanCache } from './plan-cache';
import { PlanPrices } from './plan-prices';
import { PromptReading } from './prompt-reading';
import { ProcessorClient } from './processor/processor-client';
import { ProcessorGateway } from './processor/processor-gateway';
import { ProcessorMode } from './processor/processor-mode';
import { WebhookSignature } from './processor/webhook-signature';
import { GetSubscriptionHandler } from './queries/get-subscription';
import { ListPlansHandler } from './queries/list-plans';
import { PlanGuard } from './require-plan';
import { Rereading } from './rereading';
import { SubscriptionGuard } from './subscription.guard';

/**
 * What tenants pay for, kept in step with the payment processor. Global, so that routes of any
 * module can say `@RequirePlan`.
 */
@Global()
@Module({
  imports: [
    AuditModule,
    NotificationsModule,
    TenantsModule,
    UsersModule,
    CacheModule.registerAsync({ inject: [Redis], useFactory: cacheOptions }),
  ],
  controllers: [BillingController, WebhooksController],
  providers: [
    BillingMetrics,
    BillingSchedule,
    CustomerDesk,
    CustomerUpdates,
    EventProcessing,
    Farewell,
    InvitationLimits,
    Mirroring,
    PageComparison,
    PlanCache,
    PlanGuard,
    PlanPrices,
    ProcessorClient,
    ProcessorGateway,
    ProcessorMode,
    PromptReading,
    Rereading,
    SubscriptionGuard,
    SubscriptionRepository,
    SyncRunRepository,
    WebhookEventRepository,
    WebhookSignature,
    BeginCheckoutHandler,
    BeginSyncHandler,
    CloseCustomerHandler,
    DescribeCustomerHandler,
    GetSubscriptionHandler,
    ListPlansHandler,
    OpenPortalHandler,
    OverrideSubscriptionHandler,
    PurgeWebhookEventsHandler,
    ReceiveEventHandler,
    RemindOfTrialEndsHandler,
    ReplayWebhookEventHandler,
    SendPaymentMailHandler,
    SyncNowHandler,
    SyncSubscriptionHandler,
    SyncSubscriptionsHandler,
    SyncTenantHandler,
  ],
  exports: [PlanCache, SubscriptionGuard],
})
export class BillingModule {}
