import { ApiError, type ClientErrorCode, type ErrorCode, type Failure } from '@tenantry/client';
import { duration } from './date-format';

/** The message of each error code. A code without a message does not compile. */
const MESSAGES: Record<ErrorCode | ClientErrorCode, string> = {
  ACCESS_TOKEN_EXPIRED: 'Your session has expired. Sign in again.',
  ACCOUNT_DELETION_BLOCKED:
    'Workspaces that you own or your admin access prevent the deletion. Reload the page to see the workspaces.',
  ACCOUNT_DISABLED: 'This account has been disabled. Contact support if you think this is a mistake.',
  ADDRESS_NOT_ALLOWED: 'This API key can’t be used from this network.',
  ALREADY_INVITED: 'This person already has a pending invitation. You can resend it from the list.',
  ALREADY_MEMBER: 'This person is already a member.',
  ALREADY_SUBSCRIBED: 'This workspace already has a subscription. Change the plan instead.',
  API_KEY_EXPIRED: 'This API key has expired.',
  API_KEY_NOT_ALLOWED: 'This can only be done by a person, not with an API key.',
  API_KEY_REVOKED: 'This API key has been revoked.',
  BILLING_UNAVAILABLE: 'Billing is temporarily unavailable. Nothing was changed, and you have not been charged.',
  BUILT_IN_ROLE: 'Built-in roles can’t be changed. Create a custom role instead.',
  CANNOT_IMPERSONATE: 'You can’t impersonate this person.',
  CHALLENGE_EXPIRED: 'This took too long. Try again.',
  CONFLICT: 'This changed in the meantime. Reload the page and try again.',
  EMAIL_CODE_INVALID: 'This code is incorrect, was already used or has expired. Request a new one.',
  EMAIL_NOT_VERIFIED: 'Verify your email address first. We sent you a link.',
  EMAIL_TAKEN: 'An account with this email already exists. Sign in instead.',
  FACTOR_EXISTS: 'You already use an authenticator app. Remove it first.',
  FORBIDDEN: 'You don’t have permission to do this. Ask the workspace owner.',
  IDEMPOTENCY_IN_PROGRESS: 'This is still being saved.',
  IDEMPOTENCY_KEY_REUSED: 'The request couldn’t be sent again. Reload the page.',
  INTERNAL_ERROR: 'Something went wrong on our side.',
  INVALID_CREDENTIALS: 'Incorrect email or password.',
  INVALID_SIGNATURE: 'The request couldn’t be verified.',
  INVALID_TOKEN: 'Your session has expired. Sign in again.',
  INVITATION_EXPIRED: 'This invitation has expired. Ask for a new one.',
  INVITATION_FOR_OTHER_ADDRESS: 'This invitation was sent to a different email address.',
  INVITATION_INVALID:
    'This invitation was already used, revoked, or replaced by a newer one. ' +
    'Ask the person who invited you for a new one.',
  LAST_WAY_IN: 'Emailed links alone are not enough. Set a password or add a passkey first.',
  LIMIT_REACHED: 'You’ve reached the limit. Remove something first.',
  MAGIC_LINK_EXPIRED: 'Sign-in links are valid for 10 minutes. Request a new one.',
  MAGIC_LINK_INVALID: 'This sign-in link has already been used or replaced by a newer one.',
  NOT_FOUND: 'Not found. It may have been deleted.',
  NOT_WHILE_IMPERSONATING: 'Unavailable while impersonating.',
  NO_CUSTOMER: 'There is nothing to manage yet. Choose a plan first.',
  NO_SUBSCRIPTION: 'This workspace has no subscription. Choose a plan first.',
  OWNER_CANNOT_LEAVE: 'The owner can’t leave the workspace. Transfer ownership first.',
  OUTCOME_UNKNOWN: 'This may or may not have been done. Check before you try again.',
  OWNER_ROLE_FIXED: 'The owner’s role can’t be changed. Transfer ownership instead.',
  PASSKEY_INVALID: 'This passkey couldn’t be verified. Try again, or choose another way to sign in.',
  PASSKEY_UNKNOWN: 'This passkey no longer belongs to an account. Choose another way to sign in.',
  PAYLOAD_TOO_LARGE: 'This is too large.',
  PAYMENT_DUE: 'A payment is due, or the subscription is paused. Update your payment method first.',
  PAYMENT_FAILED: 'Your payment method was declined, so nothing was changed. Update it and try again.',
  PERMISSION_NOT_HELD: 'You can only grant or remove permissions that you have yourself.',
  PERSONAL_TOKENS_NOT_ALLOWED: 'This workspace doesn’t allow personal tokens.',
  PLAN_REQUIRED: 'You’ve reached the limit of your plan.',
  POLICY_WOULD_LOCK_YOU_OUT:
    'This would keep you out of the workspace. Set up an authenticator app, or sign in by an allowed method first.',
  PROVIDER_DENIED: 'You canceled the sign-in. Try again or choose another way to sign in.',
  PROVIDER_EMAIL_UNVERIFIED:
    'Your email address isn’t verified with this provider. Verify it there, or choose another way to sign in.',
  PROVIDER_FAILED: 'The provider didn’t respond. Try again in a moment, or choose another way to sign in.',
  PROVIDER_NOT_CONFIGURED: 'Sign-in with this provider is not available.',
  PROVIDER_STATE_INVALID: 'The sign-in took too long or was started in another browser. Try again.',
  RATE_LIMITED: 'Too many requests.',
  RESET_TOKEN_EXPIRED: 'Password reset links are valid for one hour. Request a new one.',
  RESET_TOKEN_INVALID: 'This link has already been used or replaced by a newer one.',
  ROLE_NAME_TAKEN: 'A role with this name already exists.',
  SAME_PLAN: 'This workspace already has this plan. Reload the page to see it.',
  SEAT_LIMIT: 'All seats of this workspace are taken. Upgrade, or remove a member or an invitation.',
  SECOND_FACTOR_INVALID: 'This code is incorrect, or it was already used. Enter the current one.',
  SECOND_FACTOR_REQUIRED:
    'This workspace requires a second factor. Set up an authenticator app under Your account, Security.',
  SECOND_OPERATOR_REQUIRED: 'Another operator must do this.',
  SESSION_ENDED: 'Your session has ended. Sign in again.',
  SESSION_TOO_OLD: 'This workspace requires a more recent sign-in. Sign out and sign in again.',
  SIGN_IN_METHOD_NOT_ALLOWED: 'This workspace doesn’t allow your sign-in method. Sign in with another one.',
  STEP_UP_REQUIRED: 'Nothing was changed. For security, confirm that it is you when you try again.',
  SUBSCRIPTION_ACTIVE: 'This workspace still has a subscription. Cancel it under Billing first.',
  TICKET_INVALID: 'This sign-in has expired. Start again.',
  TOKEN_EXPIRED: 'Your session has expired. Sign in again.',
  TOKEN_REUSE_DETECTED: 'Your session was ended to protect your account. Sign in again.',
  TOO_MANY_ATTEMPTS: 'Too many failed attempts.',
  UNAUTHENTICATED: 'Sign in to continue.',
  UNAVAILABLE: 'Temporarily unavailable.',
  UNDO_TOKEN_EXPIRED: 'Changes of an email address can be undone for 72 hours. This link has expired.',
  UNDO_TOKEN_INVALID: 'This change was already undone.',
  UNSUPPORTED_MEDIA_TYPE: 'The request couldn’t be read.',
  WEBHOOK_URL_NOT_ALLOWED: 'Webhooks cannot be sent to this address.',
  VALIDATION_ERROR: 'Check the highlighted fields.',
  VERIFICATION_TOKEN_EXPIRED: 'This verification link has expired. Request a new one.',
  VERIFICATION_TOKEN_INVALID:
    'This link has already been used or replaced by a newer one. If you already verified your email address, sign in.',
  PASSKEY_CANCELED:
    'No passkey was used: the request was canceled or took too long, or your device couldn’t confirm that it’s you.',
  PASSKEY_EXISTS: 'This device already has a passkey for your account. You can sign in with it.',
  PASSKEYS_UNAVAILABLE: 'Passkeys can’t be used in this browser or on this device. Choose another way.',
  SESSION_CHANGED: 'Another account or workspace is now active in this browser. Check the page before you try again.',
  UNREACHABLE: 'Can’t reach the server. Check your connection and try again.',
};

/** Failures that the user can't resolve: support finds them by the request id. */
const UNEXPECTED: readonly string[] = [
  'IDEMPOTENCY_KEY_REUSED',
  'INTERNAL_ERROR',
  'INVALID_SIGNATURE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNAVAILABLE',
  'BILLING_UNAVAILABLE',
];

/** A feature of larger plans has no limit that could be reached. */
const NOT_INCLUDED = 'Your plan doesn’t include this.';

/** The message for a code, also for one that only a newer service knows. */
export function messageForCode(code: string): string {
  return (MESSAGES as Partial<Record<string, string>>)[code] ?? 'Something went wrong.';
}

/** A failure in plain words: what is wrong, how long to wait, what to tell support. */
export function errorMessage(failed: ApiError | Failure): string {
  const { code, details, retryAfter, requestId } = failed instanceof ApiError ? failed.failure : failed;
  const isUnexpected = UNEXPECTED.includes(code) || !(code in MESSAGES);
  return [
    code === 'PLAN_REQUIRED' && !details?.limit ? NOT_INCLUDED : messageForCode(code),
    retryAfter && `Try again in ${duration(retryAfter)}.`,
    isUnexpected && requestId && `If this keeps happening, contact support with ID ${requestId}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

export const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
