/** What other modules may use of this one. */
export { BillingFailures } from './billing.failures';
export { LAST_RUNS } from './billing-metrics';
export { SubscriptionSummaryView, SubscriptionView } from './billing.views';
export { BeginSync } from './commands/begin-sync';
export { OverrideSubscription } from './commands/override-subscription';
export { ReplayWebhookEvent } from './commands/replay-webhook-event';
export { SyncTenant } from './commands/sync-tenant';
export { PLAN_COLUMNS, planCondition, type PlanFilter } from './data/plan-columns';
export { PLAN_LIMITS, PLANS, type Plan, type PlanLimits } from './domain/plan';
export { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './domain/processor-state';
export type { SyncRun } from './domain/sync-run';
export { WEBHOOK_EVENT_STATUSES, type WebhookEventStatus } from './domain/webhook-event';
export { PlanCache, type CurrentSubscription } from './plan-cache';
export { RequestSubscription, RequirePlan } from './require-plan';
