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
export type { StreamListener } from './notifications.js';
export { AUDIT_ACTIONS, ERROR_CODES } from './schema.js';
export type { Session, SessionOptions } from './session.js';
export type { StepUpQuestion } from './step-up.js';
