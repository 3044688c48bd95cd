import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { derivedKey } from '../../platform/derived-key';
import type { Mail } from '../../platform/mail/mail-definition';
import type { Recipient } from '../../platform/mail/mail-rate-limits';
import { Mailer, type MailOutcome } from '../../platform/mail/mailer';
import { undoUnlessSent } from '../../platform/mail/undo-unless-sent';
import { err, ok, type Result } from '../../platform/result';
import { AuthFailures } from '../auth.failures';
import { EmailCodeRepository } from '../data/email-code.repository';
import { EmailCode, newEmailCode, type CodePurpose } from '../domain/email-code';

/** Issues and verifies emailed codes. */
@Injectable()
export class EmailCodes {
  private readonly secret: KeyObject;

  constructor(
    private readonly codes: EmailCodeRepository,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.secret = derivedKey(settings.keys.privateKey, 'tenantry emailed codes');
  }

  /**
   * Sends an email with a new code, which replaces an earlier one as soon as it was sent. The code
   * is issued when the email is sent, so that the queue contains no secrets.
   * @param address the mailbox that the code proves, if it is not that of the account
   */
  async mail(
    recipient: Recipient,
    { userId, purpose, address }: { userId: string; purpose: CodePurpose; address?: string },
    write: (code: string) => Mail,
  ): Promise<MailOutcome> {
    const digits = newEmailCode();
    const code = EmailCode.issue(userId, purpose, this.hashOf(userId, purpose, digits, address), this.clock.now());
    const send = () =>
      this.mailer.send(recipient, async () => {
        await this.codes.put(code);
        return write(digits);
      });
    const sent = await undoUnlessSent(send, () => this.codes.withdraw(code));
    if (sent.outcome === 'sent') await this.codes.deleteEarlier(code);
    return sent;
  }

  /** Uses a code once. EMAIL_CODE_INVALID, also after three attempts. Outside of a transaction. */
  async use(userId: string, purpose: CodePurpose, code: string): Promise<Result<void, 'EMAIL_CODE_INVALID'>> {
    const checked = await this.check(userId, purpose, code);
    return checked.ok ? this.consume(checked.value) : checked;
  }

  /**
   * Counts an attempt and compares the code, without using it up. EMAIL_CODE_INVALID as above, and
   * if it was issued for another address. Outside of a transaction.
   */
  async check(
    userId: string,
    purpose: CodePurpose,
    code: string,
    address?: string,
  ): Promise<Result<EmailCode, 'EMAIL_CODE_INVALID'>> {
    const open = await this.codes.countAttempt(userId, purpose, this.clock.now());
    const given = this.hashOf(userId, purpose, code, address);
    const correct = open.find(({ codeHash }) => timingSafeEqual(codeHash, given));
    return correct ? ok(correct) : err(AuthFailures.emailCodeInvalid);
  }

  /** Uses up a code that was checked. EMAIL_CODE_INVALID if it was used, replaced or withdrawn. */
  async consume(code: EmailCode): Promise<Result<void, 'EMAIL_CODE_INVALID'>> {
    return (await this.codes.use(code)) ? ok() : err(AuthFailures.emailCodeInvalid);
  }

  /** What is stored in place of a code. */
  hashOf(userId: string, purpose: CodePurpose, code: string, address?: string): Buffer {
    const bound = [userId, purpose, code, ...(address === undefined ? [] : [address])];
    return createHmac('sha256', this.secret).update(JSON.stringify(bound)).digest();
  }
}
