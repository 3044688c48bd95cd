import { messageType } from '../platform/public-events';
import { TEST_TYPE } from './domain/webhook-message';
import { WebhookTestView } from './http/views/webhooks.views';

/** The message that tries an endpoint. */
export const WEBHOOK_TEST = messageType(TEST_TYPE, 'A member tries the endpoint', WebhookTestView);
