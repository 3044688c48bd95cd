import { MailInbox, type ReceivedMail } from '../../dev/mail-inbox';
import { eventually } from './eventually';

/** The mails of the tests, received by real SMTP. */
export class Mailbox extends MailInbox {
  to(email: string): ReceivedMail[] {
    return this.mails.filter((mail) => mail.to === email);
  }

  /** Waits for at least `count` mails to an address. @returns the newest one */
  async last(email: string, count = 1): Promise<ReceivedMail> {
    return eventually(
      () => (this.to(email).length >= count ? this.to(email).at(-1) : undefined),
      `mail ${count} to ${email}`,
    );
  }

  /**
   * Waits for a mail to an address with this subject. Mails of one request arrive in any order.
   */
  async titled(email: string, subject: string): Promise<ReceivedMail> {
    return eventually(
      () => this.to(email).find((mail) => mail.subject === subject),
      `the mail "${subject}" to ${email}`,
    );
  }

  /**
   * The token in the link of the newest mail to an address, after `count` mails. Mails about the
   * security of the account do not count.
   */
  async token(email: string, count = 1): Promise<string> {
    return (await this.tokens(email, count)).at(-1)!;
  }

  /** The tokens in the links of all mails to an address, after `count` mails. */
  async tokens(email: string, count: number): Promise<string[]> {
    const links = () =>
      this.to(email).filter(({ text }) => !text.includes('/secure-account#') && !text.includes('about the security'));
    const mails = await eventually(
      () => (links().length >= count ? links() : undefined),
      `mail ${count} with a link to ${email}`,
    );
    return mails.flatMap(({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? []);
  }
}
