import { MailInbox, type ReceivedMail } from '../../dev/mail-inbox';
import { eventually } from './eventually';

/** What the tests ask of the inbox: mails that came over real SMTP. */
export class Mailbox extends MailInbox {
  to(email: string): ReceivedMail[] {
    return this.mails.filter((mail) => mail.to === email);
  }

  /** The newest mail to an address, once there are at least `count`. */
  async last(email: string, count = 1): Promise<ReceivedMail> {
    return eventually(() => (this.to(email).length >= count ? this.to(email).at(-1) : undefined), `mail ${count} to ${email}`);
  }

  /** The token in the link of the newest mail to an address. */
  async token(email: string, count = 1): Promise<string> {
    const { text } = await this.last(email, count);
    return /token=([\w-]+)/.exec(text)![1];
  }
}
