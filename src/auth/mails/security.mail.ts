import { MailDefinition } from '../../platform/mail/mail-definition';

/** The events that a security email reports (docs/contract.md, Security emails). */
export type SecurityNotice =
  | 'new-device'
  | 'password-changed'
  | 'password-reset'
  | 'provider-linked'
  | 'ownership-received'
  | 'token-reuse'
  | 'second-factor-added'
  | 'second-factor-removed'
  | 'second-factor-blocked'
  | 'sign-in-not-completed'
  | 'recovery-codes-created'
  | 'recovery-code-used'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkey-counter-went-back'
  | 'personal-token-created'
  | 'service-key-created'
  | 'service-key-created-by-another'
  | 'key-stopped-by-another'
  | 'key-leaked'
  | 'resources-orphaned'
  | 'resources-expiring'
  | 'resources-disabled'
  | 'receiver-changed'
  | 'receiver-changed-by-another'
  | 'factor-reset-requested'
  | 'second-factor-reset'
  | 'account-secured'
  | 'deletion-planned'
  | 'deletion-near';

/** A webhook endpoint or an audit stream that was created, moved to another address or deleted. */
export interface ReceiverFacts {
  readonly tenantId: string;
  readonly kind: 'A webhook endpoint' | 'An audit stream';
  readonly change: 'created' | 'moved' | 'deleted';
  /** The host of its address, since the rest may contain secrets. */
  readonly host: string;
  /** The id of the user who did it; null: a service account. */
  readonly by: string | null;
}

/**
 * The data of a notice. It contains only fixed texts, names that the recipient knows, and pages of
 * GitHub from reports that GitHub has signed.
 */
export interface SecurityFacts {
  /** When it happened (ISO 8601). */
  readonly at: string;
  /** The kind of device, such as "Chrome on Windows"; undefined without a device. */
  readonly device?: string;
  /** The display name of the provider, or the name of the workspace. */
  readonly what?: string;
  /** Where something was found. */
  readonly where?: string;
  /** What gets data of the workspace. */
  readonly receiver?: ReceiverFacts;
  /** The workspace that the button of the email opens. */
  readonly workspaceId?: string;
  /** Things of the workspace that the email names. */
  readonly items?: readonly string[];
  /** When something that is planned happens (ISO 8601). */
  readonly due?: string;
  /**
   * Whether the email contains no name, because the account was not verified before and a stranger
   * may have chosen its name.
   */
  readonly isUnnamed?: boolean;
}

/** Events that an email lists besides the newest one; of those beyond it says how many. */
export const MOST_LISTED = 50;

interface EventVariables extends Pick<SecurityFacts, 'at' | 'device' | 'where' | 'receiver'> {
  /** The name of another member who did it. */
  readonly who?: string;
}

interface SecurityVariables extends EventVariables, Pick<SecurityFacts, 'what' | 'due' | 'items'> {
  readonly device: string | undefined;
  readonly name: string | undefined;
  readonly url: string;
  /** Events of the same kind that a limit of emails has kept back, the oldest first. */
  readonly earlier: readonly EventVariables[];
  /** How many there are that are not listed. */
  readonly more: number;
}

const SAMPLE: SecurityVariables = {
  at: '2026-03-01T09:30:00.000Z',
  device: 'Chrome on Windows',
  name: 'Ada Lovelace',
  url: 'https://example.com/secure-account#token=sample',
  earlier: [],
  more: 0,
};

const SAMPLE_RECEIVER: ReceiverFacts = {
  tenantId: '00000000-0000-4000-8000-000000000001',
  kind: 'A webhook endpoint',
  change: 'created',
  host: 'hooks.example.net',
  by: null,
};

const SAMPLE_EARLIER: readonly EventVariables[] = [
  { at: '2026-03-01T09:27:00.000Z', device: 'Chrome on Windows' },
  { at: '2026-03-01T09:28:00.000Z', receiver: { ...SAMPLE_RECEIVER, change: 'moved' }, who: 'Charles Babbage' },
];

const SAMPLE_DUE = '2026-03-15T09:30:00.000Z';

const SAMPLE_ORPHANS: Partial<SecurityVariables> = {
  what: 'Analytical Engines',
  device: undefined,
  url: 'https://example.com/members?tenant=00000000-0000-4000-8000-000000000001',
  due: SAMPLE_DUE,
  items: ['Service account "Nightly import"', 'Webhook endpoint at hooks.example.net'],
};

/** @param sample what is different from the common sample */
const notice = (
  template: string,
  subject: string | ((variables: SecurityVariables) => string),
  sample: Partial<SecurityVariables> = {},
) =>
  new MailDefinition<SecurityVariables>({
    template: `auth/mails/${template}`,
    subject: (variables) => `${typeof subject === 'string' ? subject : subject(variables)}${alsoIn(variables)}`,
    sample: { ...SAMPLE, ...sample },
    variants: {
      'Without device and name': { device: undefined, name: undefined },
      'With postponed ones': { earlier: SAMPLE_EARLIER, more: 12 },
    },
  });

const alsoIn = ({ earlier, more }: SecurityVariables) =>
  earlier.length > 0 ? ` (and ${earlier.length + more} more)` : '';

const receiverSubject = ({ what, receiver }: SecurityVariables) =>
  `${receiver!.kind} of ${what} was ${receiver!.change}`;

/** The emails about the security of an account. They share auth/mails/partials/security.hbs. */
export const SECURITY_MAILS: Record<SecurityNotice, MailDefinition<SecurityVariables>> = {
  'new-device': notice('security-new-device', 'New sign-in to your account'),
  'password-changed': notice('security-password-changed', 'Your password was changed'),
  'password-reset': notice('security-password-reset', 'Your password was reset'),
  'provider-linked': notice('security-provider-linked', ({ what }) => `${what} was linked to your account`, {
    what: 'Google',
  }),
  'ownership-received': notice('security-ownership-received', ({ what }) => `You are now the Owner of ${what}`, {
    what: 'Analytical Engines',
  }),
  'token-reuse': notice('security-token-reuse', 'A session of your account was ended'),
  'second-factor-added': notice('security-second-factor-added', 'An authenticator app was added to your account'),
  'second-factor-removed': notice(
    'security-second-factor-removed',
    'The authenticator app was removed from your account',
  ),
  'second-factor-blocked': notice('security-second-factor-blocked', 'Several incorrect codes for your account'),
  'sign-in-not-completed': notice('security-sign-in-not-completed', 'A sign-in to your account was not completed'),
  'recovery-codes-created': notice('security-recovery-codes-created', 'New recovery codes were created'),
  'recovery-code-used': notice('security-recovery-code-used', 'A recovery code of your account was used'),
  'passkey-added': notice('security-passkey-added', 'A passkey was added to your account'),
  'passkey-removed': notice('security-passkey-removed', 'A passkey was removed from your account'),
  'passkey-counter-went-back': notice(
    'security-passkey-counter-went-back',
    'A passkey of your account may have been copied',
  ),
  'personal-token-created': notice('security-personal-token-created', 'A personal token was created for your account'),
  'service-key-created': notice('security-service-key-created', ({ what }) => `A key was created in ${what}`, {
    what: 'Analytical Engines',
  }),
  'service-key-created-by-another': notice(
    'security-service-key-created-by-another',
    ({ what }) => `A member created a key in ${what}`,
    { what: 'Analytical Engines', device: undefined, url: 'https://example.com/' },
  ),
  'key-stopped-by-another': notice(
    'security-key-stopped-by-another',
    ({ what }) => `A key of yours in ${what} was stopped`,
    { what: 'Analytical Engines', device: undefined, url: 'https://example.com/' },
  ),
  'key-leaked': notice('security-key-leaked', ({ what }) => `A leaked key of ${what} was revoked`, {
    what: 'Analytical Engines',
    where: 'https://github.com/octocat/Hello-World/blob/main/foo.txt',
    device: undefined,
    url: 'https://example.com/',
  }),
  'resources-orphaned': notice(
    'security-resources-orphaned',
    ({ what }) => `What a member has made still works in ${what}`,
    SAMPLE_ORPHANS,
  ),
  'resources-expiring': notice(
    'security-resources-expiring',
    ({ what }) => `Keys or receivers in ${what} will be disabled in three days`,
    SAMPLE_ORPHANS,
  ),
  'resources-disabled': notice(
    'security-resources-disabled',
    ({ what }) => `Keys or receivers in ${what} were disabled`,
    SAMPLE_ORPHANS,
  ),
  'receiver-changed': notice('security-receiver-changed', receiverSubject, {
    what: 'Analytical Engines',
    receiver: SAMPLE_RECEIVER,
  }),
  'receiver-changed-by-another': notice('security-receiver-changed-by-another', receiverSubject, {
    what: 'Analytical Engines',
    receiver: { ...SAMPLE_RECEIVER, kind: 'An audit stream', change: 'moved' },
    who: 'Charles Babbage',
    device: undefined,
    url: 'https://example.com/audit-streams?tenant=00000000-0000-4000-8000-000000000001',
  }),
  'factor-reset-requested': notice('security-factor-reset-requested', 'A reset of your second factor was requested', {
    device: undefined,
    url: 'https://example.com/stop-factor-reset#token=sample',
  }),
  'second-factor-reset': notice('security-second-factor-reset', 'Your second factor was reset', { device: undefined }),
  'account-secured': notice('security-account-secured', 'Your account was secured', {
    url: 'https://example.com/forgot-password',
  }),
  'deletion-planned': notice('security-deletion-planned', 'Your account will be deleted', { due: SAMPLE_DUE }),
  'deletion-near': notice('security-deletion-near', 'Your account will be deleted in three days', {
    device: undefined,
    due: SAMPLE_DUE,
  }),
};
