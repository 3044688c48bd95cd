/** What other modules may use of this one. */
export { DisableWebhookEndpoint } from './commands/disable-webhook-endpoint';
export { EnableWebhookEndpoint } from './commands/enable-webhook-endpoint';
export { pauseAfter } from './domain/delivery-retry';
export { ReceiverRepository } from './data/receiver.repository';
export { DELIVERY_COLUMNS } from './data/webhooks.columns';
export { disablingOf, type ByOperator } from './domain/disabled-receiver';
export { SignedReceiver, type DisabledReason } from './domain/signed-receiver';
export { DELIVERY_STATES, WebhookDelivery, type DeliveryState } from './domain/webhook-delivery';
export { WebhookEndpoint } from './domain/webhook-endpoint';
export { NullableDisabledReason } from './http/disabled-reason.decorator';
export { SendsWebhooks } from './http/sends-webhooks.decorator';
export { SendWebhookDisabledMail } from './mails/webhook-disabled.mail';
export { DeliveryAttempt, type FinishedAttempt } from './services/delivery-attempt';
export { EndpointAddress } from './services/endpoint-address';
export { EndpointKeys } from './services/endpoint-keys';
export { OperatorChanges } from './services/operator-changes';
export { WebhookEndpointChanged, WebhookEndpointCreated, WebhookEndpointDeleted } from './webhooks.events';
export { WebhookFailures } from './webhooks.failures';
