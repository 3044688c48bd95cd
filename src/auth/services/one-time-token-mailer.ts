import { Injectable } from '@nestjs/common';
import type { Mail } from '../../platform/mail/mail-definition';
import type { Recipient } from '../../platform/mail/mail-rate-limits';
import { Mailer, type MailOutcome } from '../../platform/mail/mailer';
import { undoUnlessSent } from '../../platform/mail/undo-unless-sent';
import { OneTimeTokenRepository } from '../data/one-time-token.repository';
import type { Purpose, TokenDetails } from '../domain/one-time-token';

/** Issues a token for the email that is being written. */
export type IssueToken = (purpose: Purpose, details?: TokenDetails) => Promise<string>;

/**
 * Sends emails that contain one-time tokens. The tokens are issued when the email is sent, so that
 * the queue contains no secrets.
 */
@Injectable()
export class OneTimeTokenMailer {
  constructor(
    private readonly tokens: OneTimeTokenRepository,
    private readonly mailer: Mailer,
  ) {}

  /**
   * Like Mailer.send. If the email is not sent, its tokens are revoked: nobody has them.
   * @param userId the owner of the tokens
   */
  async send(userId: string, recipient: Recipient, write: (issue: IssueToken) => Promise<Mail>): Promise<MailOutcome> {
    const issued: string[] = [];
    const issue: IssueToken = async (purpose, details) => {
      const token = await this.tokens.issue(userId, purpose, { ...details, mailedTo: recipient.address });
      issued.push(token);
      return token;
    };
    return undoUnlessSent(
      () => this.mailer.send(recipient, () => write(issue)),
      async () => {
        for (const token of issued) await this.tokens.revoke(token);
      },
    );
  }
}
