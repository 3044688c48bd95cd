import { MailerService } from '@nestjs-modules/mailer';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings';
import type { Letter } from './letter';

/** Hands mails to the mail server. Called by jobs only: a server that is down delays mail and nothing else (contract section 8). */
@Injectable()
export class Mail {
  constructor(
    private readonly mailer: MailerService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param id the same for every attempt at one mail: a receiver can tell that it has it already, when the first was taken and we never heard so
   * @throws when the mail server does not take it; the job is then tried again
   */
  async send(to: string, { subject, html, text }: Letter, id?: string): Promise<void> {
    const messageId = id && `<${id}@${this.domain}>`;
    await this.mailer.sendMail({ to: { address: to, name: '' }, subject, html, text, ...(messageId ? { messageId } : {}) });
  }

  /** Of the address that mails come from. */
  private get domain(): string {
    return /@([^\s>]+)>?$/.exec(this.settings.mail.from)![1];
  }
}
