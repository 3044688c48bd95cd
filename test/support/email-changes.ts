import type { Bearer, SignedInUser } from './actors';
import type { TestApp } from './app';
import { eventually } from './eventually';

/** Changes addresses as a user does, with what the emails say. */
export class EmailChanges {
  constructor(private readonly t: TestApp) {}

  /** Requests a code for an address. */
  request({ bearer }: Bearer, email: string) {
    return this.t.api.post('/users/me/email').set(bearer).send({ email });
  }

  /** The code in the email number `nth` to an address. */
  async code(email: string, nth = 1): Promise<string> {
    return /\n(\d{6})\n/.exec((await this.mail(email, 'Confirm your new email address', nth)).text)![1];
  }

  confirm({ bearer }: Bearer, code: string) {
    return this.t.api.post('/users/me/email/confirm').set(bearer).send({ code });
  }

  /** Changes the address of an account. @returns the token that undoes it */
  async change(actor: SignedInUser, from: string, to: string, nth = 1): Promise<string> {
    await this.request(actor, to).expect(200);
    await this.confirm(actor, await this.code(to)).expect(200);
    return this.token(from, nth);
  }

  /** The token in the email number `nth` about a change to an earlier address. */
  async token(email: string, nth = 1): Promise<string> {
    const { text } = await this.mail(email, 'The email address of your account was changed', nth);
    return /undo-email-change#token=([\w-]+)/.exec(text)![1];
  }

  undo(token: string) {
    return this.t.api.post('/auth/email-change/undo').send({ token });
  }

  /** The address that an account has now. */
  async addressOf({ user: { id } }: SignedInUser): Promise<string> {
    const [{ email }] = await this.t.database.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [id]);
    return email;
  }

  private mail(email: string, subject: string, nth: number) {
    const mails = () => this.t.mailbox.to(email).filter((mail) => mail.subject === subject);
    return eventually(() => mails().at(nth - 1), `the mail "${subject}" number ${nth} to ${email}`);
  }
}

let addresses = 0;
/** An address that no account has. */
export const newAddress = (name = 'new'): string => `${name}-${++addresses}@example.com`;

/** Another code of six digits. */
export const wrong = (code: string): string => (code === '000000' ? '111111' : '000000');
