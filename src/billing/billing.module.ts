import { CacheModule } from '@nestjs/cache-manager';
import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { Redis } from '../platform/redis';
import { TenantsModule } from '../tenants/tenants.module';
import { UsersModule } from '../users/users.module';
import { BillingMetrics } from './subscriptions/services/billing-metrics';
import { planCacheOptions } from './entitlements/services/plan-cache-store';
import { StartCheckoutHandler } from './checkout/commands/start-checkout';
import { StartSyncHandler } from './sync/commands/start-sync';
import { CloseCustomerHandler } from './checkout/commands/close-customer';
import { UpdateCustomerHandler } from './checkout/commands/update-customer';
import { OpenPortalHandler } from './checkout/commands/open-portal';
import { OverrideSubscriptionHandler } from './subscriptions/commands/override-subscription';
import { PurgeWebhookEventsHandler } from './webhooks/commands/purge-webhook-events';
import { ReceiveWebhookEventHandler } from './webhooks/commands/receive-webhook-event';
import { RemindOfTrialEndsHandler } from './subscriptions/commands/remind-of-trial-ends';
import { ReplayWebhookEventHandler } from './webhooks/commands/replay-webhook-event';
import { SendBillingMailHandler } from './subscriptions/commands/send-billing-mail';
import { SyncOwnSubscriptionHandler } from './sync/commands/sync-own-subscription';
import { SyncSubscriptionHandler } from './sync/commands/sync-subscription';
import { SyncAllSubscriptionsHandler } from './sync/commands/sync-all-subscriptions';
import { SyncTenantAsOperatorHandler } from './sync/commands/sync-tenant-as-operator';
import { CustomerProvisioner } from './checkout/services/customer-provisioner';
import { UpdateCustomerOnTenantChanged } from './listeners/update-customer-on-tenant-changed';
import { CheckoutLeaseRepository } from './checkout/data/checkout-lease.repository';
import { SyncLeaseRepository } from './sync/data/sync-lease.repository';
import { SubscriptionRepository } from './subscriptions/data/subscription.repository';
import { SyncRunRepository } from './sync/data/sync-run.repository';
import { WebhookEventRepository } from './webhooks/data/webhook-event.repository';
import { WebhookEventProcessor } from './webhooks/services/webhook-event-processor';
import { CloseCustomerOnTenantDeleted } from './listeners/close-customer-on-tenant-deleted';
import { BillingController } from './http/billing.controller';
import { WebhooksController } from './webhooks/http/webhooks.controller';
import { SupplyInvitationLimitOfPlan } from './listeners/supply-invitation-limit-of-plan';
import { SubscriptionWriter } from './subscriptions/services/subscription-writer';
import { PageReconciler } from './sync/services/page-reconciler';
import { StripeReadingApplier } from './sync/services/stripe-reading-applier';
import { EventTenantFinder } from './webhooks/services/event-tenant-finder';
import { SendMailOnBillingNotice } from './listeners/send-mail-on-billing-notice';
import { NotifyOwnerOnBillingNotice } from './listeners/notify-owner-on-billing-notice';
import { SyncSubscriptionOnRequest } from './listeners/sync-subscription-on-request';
import { PlanCache } from './entitlements/services/plan-cache';
import { PlanLimitCheck } from './entitlements/services/plan-limit-check';
import { PlanPrices } from './entitlements/services/plan-prices';
import { OnDemandSync } from './sync/services/on-demand-sync';
import { StripeClient } from './stripe/stripe-client';
import { StripeCheckouts } from './stripe/stripe-checkouts';
import { StripeCustomers } from './stripe/stripe-customers';
import { StripeMode } from './stripe/stripe-mode';
import { StripePortal } from './stripe/stripe-portal';
import { StripeSubscriptions } from './stripe/stripe-subscriptions';
import { WebhookSignature } from './stripe/webhook-signature';
import { GetSubscriptionHandler } from './subscriptions/queries/get-subscription';
import { ListPlansHandler } from './entitlements/queries/list-plans';
import { PlanGuard } from './entitlements/http/require-plan.guard';
import { SubscriptionRefresher } from './sync/services/subscription-refresher';
import { AttachSubscriptionGuard } from './entitlements/http/attach-subscription.guard';

/**
 * Plans and subscriptions of tenants, kept in sync with Stripe. Global, so that routes of any
 * module can use `@RequirePlan`.
 */
@Global()
@Module({
  imports: [
    AuditModule,
    NotificationsModule,
    TenantsModule,
    UsersModule,
    CacheModule.registerAsync({ inject: [Redis], useFactory: planCacheOptions }),
  ],
  controllers: [BillingController, WebhooksController],
  providers: [
    BillingMetrics,
    CustomerProvisioner,
    UpdateCustomerOnTenantChanged,
    WebhookEventProcessor,
    CloseCustomerOnTenantDeleted,
    SupplyInvitationLimitOfPlan,
    NotifyOwnerOnBillingNotice,
    SendMailOnBillingNotice,
    SyncSubscriptionOnRequest,
    EventTenantFinder,
    StripeReadingApplier,
    SubscriptionWriter,
    PageReconciler,
    PlanCache,
    PlanLimitCheck,
    PlanGuard,
    PlanPrices,
    StripeClient,
    StripeCheckouts,
    StripeCustomers,
    StripeMode,
    StripePortal,
    StripeSubscriptions,
    OnDemandSync,
    SubscriptionRefresher,
    AttachSubscriptionGuard,
    CheckoutLeaseRepository,
    SyncLeaseRepository,
    SubscriptionRepository,
    SyncRunRepository,
    WebhookEventRepository,
    WebhookSignature,
    StartCheckoutHandler,
    StartSyncHandler,
    CloseCustomerHandler,
    UpdateCustomerHandler,
    GetSubscriptionHandler,
    ListPlansHandler,
    OpenPortalHandler,
    OverrideSubscriptionHandler,
    PurgeWebhookEventsHandler,
    ReceiveWebhookEventHandler,
    RemindOfTrialEndsHandler,
    ReplayWebhookEventHandler,
    SendBillingMailHandler,
    SyncOwnSubscriptionHandler,
    SyncSubscriptionHandler,
    SyncAllSubscriptionsHandler,
    SyncTenantAsOperatorHandler,
  ],
  exports: [PlanCache, PlanLimitCheck, AttachSubscriptionGuard],
})
export class BillingModule {}
