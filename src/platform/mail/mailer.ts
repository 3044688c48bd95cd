import { MailerService } from '@nestjs-modules/mailer';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock, DAY, HOUR, secondsBetween } from '../clock';
import type { RenderedMail } from './mail-template';
import { Log } from '../observability/log';
import { MailRateLimits, type Recipient } from './mail-rate-limits';
import { MailMetrics } from './mail-metrics';
import { permanentRejection } from './mail-rejection';

/**
 * Seconds for which an address that its mail server has refused gets verification mails only
 * (contract section 11, Mail).
 */
const SUPPRESSED = 30 * DAY;

/**
 * What became of a mail. `postponed`: the limit of its recipient, the ceiling over all new
 * addresses, or the share of its cause in that, allows it in so many seconds; whoever sends decides
 * whether it is still worth sending then. `suppressed` and `refused` are final: the mail server
 * does not take mail for this address, or not this mail.
 */
export type MailOutcome =
  | { readonly outcome: 'sent' | 'suppressed' | 'refused' }
  | { readonly outcome: 'postponed'; readonly by: 'recipient' | 'ceiling' | 'share'; readonly seconds: number };

/**
 * Hands mails to the mail server, within limits. Called by jobs only: a server that is down delays
 * mail and nothing else (contract section 8).
 */
@Injectable()
export class Mailer {
  constructor(
    private readonly mailer: MailerService,
    private readonly mailRateLimits: MailRateLimits,
    private readonly metrics: MailMetrics,
    private readonly clock: Clock,
    private readonly log: Log,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param write makes the mail; asked only when it may go out, so that a link in it is not made in
   * vain
   * @param id the same for every attempt at one mail: a receiver can tell that it has it already,
   * when the first was taken and we never heard so
   * @throws when the mail server does not take it for now; the job is then tried again
   */
  async send(
    recipient: Recipient,
    write: () => RenderedMail | Promise<RenderedMail>,
    id?: string,
  ): Promise<MailOutcome> {
    const now = this.clock.now();
    const outcome = (await this.refusal(recipient, now)) ?? (await this.handOver(recipient, write, now, id));
    this.metrics.count(
      recipient.purpose,
      outcome.outcome === 'postponed' && outcome.by !== 'recipient' ? outcome.by : outcome.outcome,
    );
    return outcome;
  }

  /**
   * What the limits say against a mail; undefined when nothing. What waits for its share comes
   * after what waits for the ceiling.
   */
  private async refusal(recipient: Recipient, now: Date): Promise<MailOutcome | undefined> {
    const ceiling = this.settings.mail.newRecipientsPerHour;
    const { isAllowed, isSuppressed, nextAt, keptBackBy } = await this.mailRateLimits.take(recipient, now, ceiling);
    if (isSuppressed) return { outcome: 'suppressed' };
    if (!isAllowed) return { outcome: 'postponed', by: 'recipient', seconds: secondsBetween(now, nextAt) };
    if (keptBackBy === null) return undefined;
    await this.mailRateLimits.giveBack(recipient, now);
    const nextHour = Math.ceil(HOUR - ((now.getTime() / 1000) % HOUR));
    if (keptBackBy === 'share') {
      this.log.warn(
        { event: 'mail-share-used', ceiling },
        'a mail to a new address waits: its cause has used its share of this hour',
      );
      return { outcome: 'postponed', by: 'share', seconds: nextHour + HOUR / 2 };
    }
    this.log.error(
      { event: 'mail-ceiling-reached', ceiling },
      'mails to new addresses wait: the ceiling of this hour is reached',
    );
    return { outcome: 'postponed', by: 'ceiling', seconds: nextHour };
  }

  private async handOver(
    recipient: Recipient,
    write: () => RenderedMail | Promise<RenderedMail>,
    now: Date,
    id?: string,
  ): Promise<MailOutcome> {
    try {
      const { subject, html, text } = await write();
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
      const refusal = permanentRejection(error);
      if (!refusal) {
        await this.mailRateLimits.giveBack(recipient, now);
        throw error;
      }
      this.log.warn(
        { event: 'mail-refused', purpose: recipient.purpose, isOfAddress: refusal.isOfAddress },
        'the mail server refused a mail for ever',
      );
      if (refusal.isOfAddress) await this.mailRateLimits.suppress(recipient.address, refusal.reason, now, SUPPRESSED);
      return { outcome: 'refused' };
    }
  }

  /** Of the address that mails come from. */
  private get domain(): string {
    return /@([^\s>]+)>?$/.exec(this.settings.mail.from)![1];
  }
}
