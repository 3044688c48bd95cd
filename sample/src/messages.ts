import { ApiError, type ClientErrorCode, type ErrorCode, type Failure, type Schemas } from '@tenantry/client';
import { day } from './date-format';

/** What each code means to who reads it. A code without a sentence does not compile. */
const MESSAGES: Record<ErrorCode | ClientErrorCode, string> = {
  ACCESS_TOKEN_EXPIRED: 'Your session has run out. Please log in again.',
  ACCOUNT_DISABLED: 'This account is closed. Please write to support if you think that is a mistake.',
  ALREADY_INVITED: 'There is an open invitation for this address already. You can send it again from the list.',
  ALREADY_MEMBER: 'This person is a member already.',
  ALREADY_SUBSCRIBED: 'This workspace has a subscription already. You can change it in the billing portal.',
  BILLING_UNAVAILABLE: 'Payments are not available at the moment. Nothing was charged.',
  BUILT_IN_ROLE: 'Built-in roles cannot be changed. Create a role of your own instead.',
  CANNOT_IMPERSONATE: 'You cannot act as this person.',
  CONFLICT: 'That clashes with how things are now. Look again, and try once more.',
  EMAIL_NOT_VERIFIED: 'Please confirm your address first: we sent you a mail with a link.',
  EMAIL_TAKEN: 'This address has an account already. Log in instead.',
  FORBIDDEN: 'Your role does not allow this. Ask the owner of the workspace.',
  INTERNAL_ERROR: 'Something went wrong on our side.',
  INVALID_CREDENTIALS: 'The email or the password is not right.',
  INVALID_SIGNATURE: 'The service did not accept this message.',
  INVALID_TOKEN: 'Your session is over. Please log in again.',
  INVITATION_EXPIRED: 'This invitation has expired. Ask for a new one.',
  INVITATION_FOR_OTHER_ADDRESS: 'This invitation is for another address than the one you are signed in with.',
  INVITATION_INVALID:
    'This invitation is not valid any more. It was used, taken back, or replaced by a newer mail. Ask whoever invited you for a new one.',
  LAST_WAY_IN: 'This is your last way in. Set a password first.',
  LIMIT_REACHED: 'There are as many as there can be. Remove one first.',
  MAGIC_LINK_EXPIRED: 'This sign-in link has expired: it works for 10 minutes.',
  MAGIC_LINK_INVALID: 'This sign-in link does not work any more. Each works once, and only until another one is used.',
  NOT_FOUND: 'This is not here any more, or never was.',
  NOT_WHILE_IMPERSONATING: 'Not while you act for somebody else.',
  NO_CUSTOMER: 'There is nothing to manage yet: choose a plan first.',
  OWNER_CANNOT_LEAVE: 'The owner cannot leave. Hand over the ownership first.',
  OWNER_ROLE_FIXED: 'The owner’s role changes only by handing over the ownership.',
  PAYLOAD_TOO_LARGE: 'That is too much at once.',
  PERMISSION_NOT_HELD: 'You can only give or take away what you may do yourself.',
  PLAN_REQUIRED: 'Your plan does not include this.',
  PROVIDER_DENIED: 'You cancelled signing in. You can try again, or choose another way.',
  PROVIDER_EMAIL_UNVERIFIED:
    'The provider has not confirmed your email address. Confirm it there, or choose another way to sign in.',
  PROVIDER_FAILED: 'The provider did not answer as it should. Try again in a moment, or choose another way.',
  PROVIDER_NOT_CONFIGURED: 'Signing in with this provider is not set up here.',
  PROVIDER_STATE_INVALID: 'Signing in took too long, or was begun in another browser. Please try again.',
  RATE_LIMITED: 'That was a lot at once.',
  RESET_TOKEN_EXPIRED: 'This link has expired: it works for one hour.',
  RESET_TOKEN_INVALID: 'This link does not work any more. Each works once, and only until another one is used.',
  ROLE_NAME_TAKEN: 'There is a role with this name already.',
  SESSION_ENDED: 'Your session has ended. Please log in again.',
  STEP_UP_REQUIRED:
    'To be safe, this works only within 10 minutes of logging in. Please log out, log in again (without a password: "Mail me a link"), and repeat it.',
  SUBSCRIPTION_ACTIVE: 'This workspace still has a subscription. Cancel it in the billing portal first.',
  TOKEN_EXPIRED: 'Your session has run out. Please log in again.',
  TOKEN_REUSE_DETECTED: 'Your session was ended to keep your account safe. Please log in again.',
  TOO_MANY_ATTEMPTS: 'Too many attempts with a wrong password.',
  UNAUTHENTICATED: 'Please log in.',
  UNAVAILABLE: 'The service is taking a short break.',
  UNSUPPORTED_MEDIA_TYPE: 'The service cannot read this.',
  VALIDATION_ERROR: 'Please check what you entered.',
  VERIFICATION_TOKEN_EXPIRED: 'This confirmation link has expired.',
  VERIFICATION_TOKEN_INVALID:
    'This confirmation link does not work any more. If you confirmed your address already, simply log in.',
  SESSION_CHANGED:
    'Another account or workspace was made active in this browser. Look at the page before you repeat this.',
  UNREACHABLE: 'We cannot reach the service. Check your connection, and try again.',
};

/** Codes that nobody is to blame for who uses the page: operators find out by the request id. */
const UNEXPECTED: readonly string[] = [
  'INTERNAL_ERROR',
  'INVALID_SIGNATURE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNAVAILABLE',
  'BILLING_UNAVAILABLE',
];

/** The sentence for a code, also for one that only a newer service knows. */
export function messageForCode(code: string): string {
  return (MESSAGES as Partial<Record<string, string>>)[code] ?? 'Something unexpected happened.';
}

/** A refusal as people read it: what is the matter, how long to wait, what to tell support. */
export function errorMessage(refusal: ApiError | Failure): string {
  const { code, retryAfter, requestId } = refusal instanceof ApiError ? refusal.failure : refusal;
  const wait = retryAfter
    ? ` Try again in ${retryAfter < 90 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`}.`
    : '';
  const isUnexpected = UNEXPECTED.includes(code) || !(code in MESSAGES);
  return (
    messageForCode(code) +
    wait +
    (isUnexpected && requestId ? ` If it stays so, tell support this number: ${requestId}` : '')
  );
}

type Notification = Schemas['NotificationView'];

const NOTIFICATION_MESSAGES: Record<Notification['kind'], (data: Record<string, string>) => string> = {
  SubscriptionPastDue: ({ plan }) => `The last payment for ${plan} did not go through.`,
  PaymentRecovered: ({ plan }) => `The payment for ${plan} has arrived. All is well again.`,
  SubscriptionCanceled: ({ plan, endsAt, hasEnded }) =>
    hasEnded
      ? `${plan} has ended. This workspace is on Free now.`
      : `${plan} has been canceled${endsAt ? ` and ends on ${day(endsAt)}` : ''}.`,
  TrialEnding: ({ plan, endsAt }) =>
    `The trial of ${plan} ends${endsAt ? ` on ${day(endsAt)}` : ' soon'}. From then on it is charged.`,
  MemberJoined: ({ name, email, role }) => `${name} (${email}) has joined as ${role}.`,
  AccountAccessed: ({ reason }) =>
    `Somebody from the support team signed in to your account. ${reason ? `Reason: ${reason}` : 'They gave no reason.'}`,
  MemberInvited: ({ email, role }) => `${email} was invited as ${role}.`,
  InvitationReceived: ({ tenantName, role }) =>
    `You are invited to ${tenantName} as ${role}. To accept, open the link in the mail we sent you.`,
};

/** A notification as a sentence. */
export function notificationMessage({ kind, data }: Notification): string {
  return NOTIFICATION_MESSAGES[kind](data as Record<string, string>);
}
