import { messageType } from '../platform/public-events';
import { CHALLENGE_TYPE, TEST_TYPE } from './domain/webhook-message';
import { WebhookTestView, WebhookVerificationView } from './http/views/webhooks.views';

/** The message that tries an endpoint. */
export const WEBHOOK_TEST = messageType(TEST_TYPE, 'A member tries the endpoint', WebhookTestView);

/** The first message to an endpoint, and to another address of it. */
export const WEBHOOK_VERIFICATION = messageType(
  CHALLENGE_TYPE,
  'The receiver must answer with the challenge',
  WebhookVerificationView,
);
