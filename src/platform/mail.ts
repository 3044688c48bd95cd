import { MailerService } from '@nestjs-modules/mailer';
import { Injectable } from '@nestjs/common';
import type { Letter } from './letter';

/** Hands mails to the mail server. Called by jobs only: a server that is down delays mail and nothing else (contract section 8). */
@Injectable()
export class Mail {
  constructor(private readonly mailer: MailerService) {}

  /** @throws when the mail server does not take it; the job is then tried again */
  async send(to: string, { subject, html, text }: Letter): Promise<void> {
    await this.mailer.sendMail({ to: { address: to, name: '' }, subject, html, text });
  }
}
