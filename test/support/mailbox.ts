import { MailInbox, type ReceivedMail } from '../../dev/mail-inbox';
import { eventually } from './eventually';

/** What the tests ask of the inbox: mails that came over real SMTP. */
export class Mailbox extends MailInbox {
  to(email: string): ReceivedMail[] {
    return this.mails.filter((mail) => mail.to === email);
  }

  /** The newest mail to an address, once there are at least `count`. */
  async last(email: string, count = 1): Promise<ReceivedMail> {
    return eventually(
      () => (this.to(email).length >= count ? this.to(email).at(-1) : undefined),
      `mail ${count} to ${email}`,
    );
  }

  /**
   * The first mail to an address with this subject, once it is there: mails of one cause arrive in
   * any order.
   */
  async titled(email: string, subject: string): Promise<ReceivedMail> {
    return eventually(
      () => this.to(email).find((mail) => mail.subject === subject),
      `the mail "${subject}" to ${email}`,
    );
  }

  /**
   * The token in the link of the newest mail to an address, once there are `count`; mails about the
   * security of the account are not counted.
   */
  async token(email: string, count = 1): Promise<string> {
    const links = () =>
      this.to(email).filter(({ text }) => !text.includes('/secure-account#') && !text.includes('about the security'));
    const { text } = await eventually(
      () => (links().length >= count ? links().at(-1) : undefined),
      `mail ${count} with a link to ${email}`,
    );
    return /token=([\w-]+)/.exec(text)![1];
  }
}
