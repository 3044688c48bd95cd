export {
  ApiError,
  unwrap,
  type Answer,
  type ClientErrorCode,
  type ErrorCode,
  type Failure,
  type Schemas,
} from './api-answer.js';
export { claimsOf, type Claims } from './claims.js';
export { createClient, type Client, type ClientOptions } from './client.js';
export { takeFragment, type FragmentParams } from './redirect-fragment.js';
export { saveFile } from './file-download.js';
export { offerPasskeyAutofill } from './passkey-autofill.js';
export type { PasskeyAssertion } from './passkey-json.js';
export { hasPasskeys } from './passkey-prompt.js';
export { addPasskey, confirmWithPasskey, removePasskey, signInWithPasskey, withPasskey } from './passkey-operations.js';
export type { StreamListener } from './notifications.js';
export { AUDIT_ACTIONS, ENTITLEMENT_KINDS, ERROR_CODES } from './schema.js';
export type { Session, SessionOptions } from './session.js';
export type { StepUpQuestion } from './step-up.js';
export type { WebhookEvent, WebhookEventType } from './webhook-events.js';
export { verifyWebhook, WebhookVerificationError, type ReceivedWebhook } from './webhook-signature.js';
