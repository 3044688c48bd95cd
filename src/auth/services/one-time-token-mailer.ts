import { Injectable } from '@nestjs/common';
import type { RenderedMail } from '../../platform/mail/mail-template';
import { Mailer, type MailOutcome } from '../../platform/mail/mailer';
import type { Recipient } from '../../platform/mail/mail-rate-limits';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import type { Purpose } from '../domain/one-time-token';

/** Makes a token that the mail will carry. */
export type Issue = (purpose: Purpose, registrationId?: string) => Promise<string>;

/**
 * Sends mails that carry one-time tokens. The tokens are made here, so that no secret lies in the
 * queue.
 */
@Injectable()
export class OneTimeTokenMailer {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly mailer: Mailer,
  ) {}

  /**
   * As Mail.send. A mail that does not go out leaves no token behind: attempts that fail must not
   * push out links that have arrived.
   * @param userId whose tokens they are
   */
  async send(
    userId: string,
    recipient: Recipient,
    write: (issue: Issue) => Promise<RenderedMail>,
  ): Promise<MailOutcome> {
    const issued: string[] = [];
    const issue: Issue = async (purpose, registrationId) => {
      const token = await this.tokens.issue(userId, purpose, registrationId);
      issued.push(token);
      return token;
    };
    let isSent = false;
    try {
      const sent = await this.mailer.send(recipient, () => write(issue));
      isSent = sent.outcome === 'sent';
      return sent;
    } finally {
      if (!isSent) for (const token of issued) await this.tokens.withdraw(token);
    }
  }
}
