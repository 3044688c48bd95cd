import type { Schemas } from '@tenantry/client';
import { longDate } from './date-format';
import type { Permission } from './session';

type Notification = Schemas['NotificationView'];

interface Presentation {
  readonly text: (data: Record<string, string>) => string;
  /** The page that it is about, for readers who may open it. */
  readonly link?: { readonly to: string; readonly needs?: Permission };
}

const BILLING = { to: '/billing', needs: 'tenant.billing.read' } as const;
const MEMBERS = { to: '/members', needs: 'tenant.members.read' } as const;

/** A kind without a text does not compile. */
const PRESENTATIONS: Record<Notification['kind'], Presentation> = {
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
      `Your ${plan} trial ends ${endsAt ? `on ${longDate(endsAt)}` : 'soon'}. After that, the plan is charged.`,
  },
  MemberJoined: { link: MEMBERS, text: ({ name, email, role }) => `${name} (${email}) joined as ${role}.` },
  MemberInvited: { link: MEMBERS, text: ({ email, role }) => `${email} was invited as ${role}.` },
  AccountAccessed: {
    link: { to: '/account' },
    text: ({ reason }) =>
      `The support team signed in to your account. ${reason ? `Reason: ${reason}` : 'No reason was given.'}`,
  },
  InvitationReceived: {
    text: ({ tenantName, role }) =>
      `You’re invited to ${tenantName} as ${role}. To accept, open the link in the email we sent you.`,
  },
};

/** A notification as a sentence. */
export const notificationMessage = ({ kind, data }: Notification): string =>
  PRESENTATIONS[kind].text(data as Record<string, string>);

/** The page that a notification is about, if there is one. */
export const notificationLink = ({ kind }: Notification): Presentation['link'] => PRESENTATIONS[kind].link;
