import type { webhooks } from './schema.js';

/** The types of events that webhooks receive. */
export type WebhookEventType = keyof webhooks;

/** The message of each type. `type` tells them apart: comparing it narrows `data`. */
export type WebhookEvent = {
  [T in WebhookEventType]: webhooks[T]['post']['requestBody']['content']['application/json'];
}[WebhookEventType];
