import { MailerService } from '@nestjs-modules/mailer';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { addSeconds, Clock, DAY, HOUR, secondsBetween } from '../clock';
import type { Mail } from './mail-definition';
import { Log } from '../observability/log';
import { MailRenderer } from './mail-renderer';
import { MailRateLimits, type Recipient } from './mail-rate-limits';
import { MailMetrics } from './mail-metrics';
import { permanentRejection } from './mail-rejection';

/**
 * Seconds for which a rejected address gets only emails that prove it (docs/contract.md, Email
 * limits).
 */
const SUPPRESSED = 30 * DAY;

/**
 * The outcome of an email. `postponed`: a limit allows it in this many seconds; the caller decides
 * whether it is still worth sending then. `suppressed` and `refused` are final: the mail server
 * does not accept email for this address, or not this email.
 */
export type MailOutcome =
  | { readonly outcome: 'sent' | 'suppressed' | 'refused' }
  | { readonly outcome: 'postponed'; readonly by: 'recipient' | 'ceiling' | 'share'; readonly seconds: number };

/**
 * Sends emails within limits. Called by jobs only: a mail server that is down delays email and
 * nothing else (docs/contract.md, Emails).
 */
@Injectable()
export class Mailer {
  constructor(
    private readonly mailer: MailerService,
    private readonly renderer: MailRenderer,
    private readonly mailRateLimits: MailRateLimits,
    private readonly metrics: MailMetrics,
    private readonly clock: Clock,
    private readonly log: Log,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param write creates the email; called only when it may be sent, so that no unused link is
   * created
   * @param id the same for every attempt at one email, so that a receiver can detect a duplicate
   * when an attempt succeeded although its response was lost
   * @throws when the mail server does not accept it now; the job is retried
   */
  async send(recipient: Recipient, write: () => Mail | Promise<Mail>, id?: string): Promise<MailOutcome> {
    const now = this.clock.now();
    const outcome = (await this.limited(recipient, now)) ?? (await this.handOver(recipient, write, now, id));
    this.metrics.count(
      recipient.purpose,
      outcome.outcome === 'postponed' && outcome.by !== 'recipient' ? outcome.by : outcome.outcome,
    );
    return outcome;
  }

  /**
   * The limit that keeps an email back, or undefined. A postponement by a share comes after one by
   * the ceiling.
   */
  private async limited(recipient: Recipient, now: Date): Promise<MailOutcome | undefined> {
    const ceiling = this.settings.mail.newRecipientsPerHour;
    const { isAllowed, isSuppressed, nextAt, postponedBy } = await this.mailRateLimits.take(recipient, now, ceiling);
    if (isSuppressed) return { outcome: 'suppressed' };
    if (!isAllowed) return { outcome: 'postponed', by: 'recipient', seconds: secondsBetween(now, nextAt) };
    if (postponedBy === null) return undefined;
    await this.mailRateLimits.release(recipient, now);
    const seconds = secondsToWait(postponedBy, now);
    if (postponedBy === 'share') {
      this.log.warn(
        { event: 'mail.share_used', ceiling },
        'An email to a new address was postponed: its sender reached the share for this hour',
      );
      return { outcome: 'postponed', by: 'share', seconds };
    }
    this.log.error(
      { event: 'mail.ceiling_reached', ceiling },
      'Emails to new addresses are postponed: the limit for this hour is reached',
    );
    return { outcome: 'postponed', by: 'ceiling', seconds };
  }

  /**
   * Until when the limits would keep an email back, which is sent now; null: they would not. It is
   * the earliest time: emails that wait already are not counted.
   */
  async delayedUntil(recipient: Recipient): Promise<Date | null> {
    const now = this.clock.now();
    const { nextAt, postponedBy } = await this.mailRateLimits.peek(
      recipient,
      now,
      this.settings.mail.newRecipientsPerHour,
    );
    if (nextAt > now) return nextAt;
    return postponedBy === null ? null : addSeconds(now, secondsToWait(postponedBy, now));
  }

  private async handOver(
    recipient: Recipient,
    write: () => Mail | Promise<Mail>,
    now: Date,
    id?: string,
  ): Promise<MailOutcome> {
    try {
      const { subject, html, text } = this.renderer.render(await write(), recipient.reader);
      const messageId = id && `<${id}@${this.domain}>`;
      const to = { address: recipient.address, name: '' };
      await this.mailer.sendMail({
        from: this.settings.mail.from,
        to,
        subject,
        html,
        text,
        ...(messageId ? { messageId } : {}),
      });
      return { outcome: 'sent' };
    } catch (error) {
      const rejection = permanentRejection(error);
      if (!rejection) {
        await this.mailRateLimits.release(recipient, now);
        throw error;
      }
      this.log.warn(
        { event: 'mail.rejected', purpose: recipient.purpose, isOfAddress: rejection.isOfAddress },
        'The mail server rejected an email permanently',
      );
      if (rejection.isOfAddress)
        await this.mailRateLimits.suppress(recipient.address, rejection.reason, now, SUPPRESSED);
      return { outcome: 'refused' };
    }
  }

  /** The domain of the sender's address. */
  private get domain(): string {
    return /@([^\s>]+)>?$/.exec(this.settings.mail.from)![1];
  }
}

/** Until the next hour; after a share half an hour more, because other causes come first. */
function secondsToWait(postponedBy: 'ceiling' | 'share', now: Date): number {
  const nextHour = Math.ceil(HOUR - ((now.getTime() / 1000) % HOUR));
  return postponedBy === 'share' ? nextHour + HOUR / 2 : nextHour;
}
