import type { Schemas } from '@tenantry/client';
import { longDate } from './date-format';
import type { Permission } from './session';

type Notification = Schemas['NotificationView'];

/** The data of each kind. */
type Data = { readonly [N in Notification as N['kind']]: N['data'] };
type Kind = keyof Data;
/** The same as Notification, in a form that lets TypeScript relate the data to the kind. */
type NotificationOf<K extends Kind> = { readonly [Each in K]: { readonly kind: Each; readonly data: Data[Each] } }[K];

interface Presentation<K extends Kind> {
  readonly text: (data: Data[K]) => string;
  /** The page that it is about, for readers who may open it. */
  readonly link?: { readonly to: string; readonly needs?: Permission };
}

const BILLING = { to: '/billing', needs: 'tenant.billing.read' } as const;
const MEMBERS = { to: '/members', needs: 'tenant.members.read' } as const;

/** A kind without a text does not compile. */
const PRESENTATIONS: { readonly [K in Kind]: Presentation<K> } = {
  SubscriptionPastDue: { link: BILLING, text: ({ plan }) => `The last payment for ${plan} failed.` },
  PaymentRecovered: { link: BILLING, text: ({ plan }) => `Payment received. Your ${plan} plan is active.` },
  SubscriptionCanceled: {
    link: BILLING,
    text: ({ plan, endsAt, hasEnded }) =>
      hasEnded
        ? `${plan} has ended. This workspace is on Free now.`
        : `${plan} was canceled${endsAt ? ` and ends on ${longDate(endsAt)}` : ''}.`,
  },
  TrialEnding: {
    link: BILLING,
    text: ({ plan, endsAt }) =>
      `Your ${plan} trial ends on ${longDate(endsAt)}. ` +
      'Your payment method will be charged then. Without one, the plan ends.',
  },
  MemberJoined: { link: MEMBERS, text: ({ name, email, role }) => `${name} (${email}) joined as ${role}.` },
  MemberInvited: { link: MEMBERS, text: ({ email, role }) => `${email} was invited as ${role}.` },
  AccountAccessed: {
    link: { to: '/account' },
    text: ({ reason }) =>
      `The support team signed in to your account. ${reason ? `Reason: ${reason}` : 'No reason was given.'}`,
  },
  SecondFactorRequired: {
    link: { to: '/account/security' },
    text: ({ tenantName, from }) =>
      `${tenantName} requires a second factor from ${longDate(from)}. Add an authenticator app to your account.`,
  },
  SecondFactorResetRequested: {
    link: { to: '/account/security' },
    text: ({ dueAt }) =>
      'Our support team was asked to reset your second factor. ' +
      `It is removed on ${longDate(dueAt)} at the earliest. If this wasn’t you, stop it.`,
  },
  WebhookDisabled: {
    link: { to: '/webhooks', needs: 'tenant.webhooks.manage' },
    text: ({ host }) => `The webhook at ${host} was disabled. Events can be sent again later.`,
  },
  AuditStreamDisabled: {
    link: { to: '/audit-streams', needs: 'tenant.audit.stream' },
    text: ({ host }) => `The audit stream to ${host} was disabled. Resumed, it continues where it stopped.`,
  },
  InvitationReceived: {
    text: ({ tenantName, role }) =>
      `You’re invited to ${tenantName} as ${role}. To accept, open the link in the email we sent you.`,
  },
};

/**
 * A notification as a sentence. A newer version of the service can send kinds unknown to this one.
 */
export function notificationMessage<K extends Kind>({ kind, data }: NotificationOf<K>): string {
  const presentation: Presentation<K> | undefined = PRESENTATIONS[kind];
  return presentation ? presentation.text(data) : 'You have a new notification. Reload the page to see it.';
}

/** The page that a notification is about, if there is one. */
export const notificationLink = ({ kind }: Pick<Notification, 'kind'>): Presentation<Kind>['link'] =>
  (PRESENTATIONS[kind] as Presentation<Kind> | undefined)?.link;
