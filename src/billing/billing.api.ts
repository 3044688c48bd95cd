/** What other modules may use of this one. */
export { BillingFailures } from './billing.failures';
export { lastRuns } from './sync/data/sync-run.repository';
export { SubscriptionSummaryView, SubscriptionView } from './http/views/billing.views';
export { StartSync } from './sync/commands/start-sync';
export { OverrideSubscription } from './subscriptions/commands/override-subscription';
export { ReplayWebhookEvent } from './webhooks/commands/replay-webhook-event';
export { SyncTenantAsOperator } from './sync/commands/sync-tenant-as-operator';
export { PLAN_COLUMNS, planCondition, type PlanFilter } from './subscriptions/data/plan-columns';
export { PLANS, type Plan } from './entitlements/domain/plan';
export { PlanLimitCheck } from './entitlements/services/plan-limit-check';
export { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './subscriptions/domain/subscription-snapshot';
export { SyncRun } from './sync/domain/sync-run';
export { WEBHOOK_EVENT_STATUSES, WebhookEvent, type WebhookEventStatus } from './webhooks/domain/webhook-event';
export type { CurrentSubscription } from './entitlements/services/plan-cache';
export { RequestSubscription, RequirePlan } from './entitlements/http/require-plan.guard';
