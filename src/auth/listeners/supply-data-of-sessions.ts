import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EntityReader } from '../../platform/database/entity-reader';
import { onePage, PersonalData } from '../../platform/personal-data';
import { EmailCode } from '../domain/email-code';
import { LastSignIn } from '../domain/last-sign-in';
import { OneTimeToken } from '../domain/one-time-token';
import { PostponedNotice } from '../domain/postponed-notice';
import { Session } from '../domain/session';
import { SignInTicket } from '../domain/sign-in-ticket';
import { TrustedBrowser } from '../domain/trusted-browser';

const SESSION = ['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt', 'ip', 'userAgent', 'methods'] as const;
const BROWSER = ['id', 'createdAt', 'expiresAt', 'ip', 'userAgent'] as const;

/** Sessions and trusted browsers, for the export of personal data. */
@Injectable()
export class SupplyDataOfSessions implements OnModuleInit {
  constructor(
    private readonly personalData: PersonalData,
    private readonly reader: EntityReader,
  ) {}

  onModuleInit(): void {
    this.personalData.supply([Session], {
      name: 'sessions',
      read: ({ userId }, page) => this.reader.findPage(Session, { select: SESSION, where: { userId } }, page),
    });
    this.personalData.supply([TrustedBrowser], {
      name: 'trustedBrowsers',
      read: ({ userId }, page) => this.reader.findPage(TrustedBrowser, { select: BROWSER, where: { userId } }, page),
    });
    this.personalData.supply([LastSignIn], {
      name: 'lastSignIns',
      read: async ({ userId }) => {
        const select = ['at', 'method'] as const;
        return onePage(
          await this.reader.find(LastSignIn, { select, where: { userId }, order: { userId: 'ASC' }, limit: 1 }),
        );
      },
    });
    this.personalData.withhold(OneTimeToken, 'hashes of links in emails');
    this.personalData.withhold(EmailCode, 'hashes of codes in emails');
    this.personalData.withhold(PostponedNotice, 'events that wait for an email about them, for at most a day');
    this.personalData.withhold(SignInTicket, 'a sign-in that waits for its second factor, for minutes');
  }
}
