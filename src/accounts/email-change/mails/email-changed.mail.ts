import { MailDefinition } from '../../../platform/mail/mail-definition';

/**
 * The email to the earlier address of an account, with the link that undoes the change. It does not
 * name the new address, which others may read there.
 */
export const emailChangedMail = new MailDefinition<{
  name: string;
  at: string;
  device: string;
  url: string;
  /** None: each change has an email of its own. */
  earlier: readonly [];
}>({
  template: 'accounts/email-change/mails/email-changed',
  subject: 'The email address of your account was changed',
  sample: {
    name: 'Ada Lovelace',
    at: '2026-03-01T09:30:00.000Z',
    device: 'Chrome on Windows',
    url: 'https://example.com/undo-email-change#token=sample',
    earlier: [],
  },
});
