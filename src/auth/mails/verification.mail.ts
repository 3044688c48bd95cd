import { MailDefinition } from '../../platform/mail/mail-definition';

/** When and with which kind of device an address was registered. */
export interface RegistrationFacts {
  readonly createdAt: Date;
  /** Such as "Chrome on Windows". */
  readonly device: string;
}

const FIRST: RegistrationFacts = { createdAt: new Date('2026-03-01T09:30:00Z'), device: 'Chrome on Windows' };
const SECOND: RegistrationFacts = { createdAt: new Date('2026-03-02T18:05:00Z'), device: 'Safari on iPhone' };

/** The email with a verification link. It contains no text that was entered at the registration. */
export const verificationMail = new MailDefinition<{
  /** If there are several registrations, the link activates the password of none. */
  registrations: readonly RegistrationFacts[];
  url: string;
  /** The link that cancels the registrations. */
  secondaryUrl: string;
}>({
  template: 'auth/mails/verification',
  subject: 'Verify your email address',
  sample: {
    registrations: [FIRST],
    url: 'https://example.com/api/v1/auth/verify-email?token=sample',
    secondaryUrl: 'https://example.com/not-me#token=sample',
  },
  variants: { 'Several registrations': { registrations: [FIRST, SECOND] }, 'No registration': { registrations: [] } },
});
