/** What other modules may use of this one. */
export { PLAN_COLUMNS } from './data/plan-columns';
export { PLANS, SUBSCRIPTION_STATUSES, type Plan, type SubscriptionStatus } from './domain/subscription';
export { WEBHOOK_EVENT_STATUSES, type WebhookEventStatus } from './domain/webhook-event';
