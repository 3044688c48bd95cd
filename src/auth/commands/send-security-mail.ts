import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job, Jobs } from '../../platform/jobs/jobs';
import type { Mail } from '../../platform/mail/mail-definition';
import { tenantLink } from '../../platform/mail/tenant-link';
import { currentContext } from '../../platform/observability/request-context';
import { ok, type Result } from '../../platform/result';
import { UserRepository, type User } from '../../users/users.api';
import { PostponedNoticeRepository } from '../data/postponed-notice.repository';
import { deviceKind } from '../domain/device-kind';
import { PostponedNotice } from '../domain/postponed-notice';
import {
  MOST_LISTED,
  SECURITY_MAILS,
  type ReceiverFacts,
  type SecurityFacts,
  type SecurityNotice,
} from '../mails/security.mail';
import { stopFactorResetUrl } from '../services/mailed-link-urls';
import { OneTimeTokenMailer, type IssueToken } from '../services/one-time-token-mailer';

/** Postponed events that one email reports; those beyond are reported by the next one. */
const MOST_REPORTED = 500;

/**
 * Emails a user about the security of their account, with a link "This was not me". An event whose
 * email a limit postpones is stored. The next email on the same topic reports it, and a job sends
 * one as soon as the limit allows.
 */
@Job('send-security-mail', 'mail')
export class SendSecurityMail extends Command<Result> {
  /**
   * @param facts null: nothing new, only what was postponed
   * @param about of what was postponed: the `what` of its facts
   */
  constructor(
    readonly userId: string,
    readonly notice: SecurityNotice,
    readonly facts: SecurityFacts | null,
    readonly about?: string,
  ) {
    super();
  }
}

/** Notices about what another person or a program has done in a workspace. */
const OF_THE_WORKSPACE: readonly SecurityNotice[] = [
  'service-key-created-by-another',
  'key-stopped-by-another',
  'key-leaked',
];

/** The facts of a notice besides the time and the device. */
export type SecurityMailDetails = Omit<SecurityFacts, 'at' | 'device'>;

/** The email about something that the running request has done. */
export function securityMailNow(
  userId: string,
  notice: SecurityNotice,
  now: Date,
  details: SecurityMailDetails = {},
): SendSecurityMail {
  const device = deviceKind(currentContext().userAgent);
  return new SendSecurityMail(userId, notice, { at: now.toISOString(), device, ...details });
}

@CommandHandler(SendSecurityMail)
export class SendSecurityMailHandler implements ICommandHandler<SendSecurityMail> {
  constructor(
    private readonly users: UserRepository,
    private readonly postponed: PostponedNoticeRepository,
    private readonly oneTimeTokenMailer: OneTimeTokenMailer,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A failure after the email was sent, and before this is stored, can repeat what it reports. */
  async execute({ userId, notice, facts, about = facts?.what }: SendSecurityMail): Promise<Result> {
    const topic = { userId, notice, about };
    const user = await this.users.findById(userId);
    if (!user) return ok();
    const waiting = await this.postponed.list(topic, MOST_REPORTED);
    const events = [...waiting.map((one) => one.facts), ...(facts ? [facts] : [])];
    if (events.length === 0) return ok();
    const recipient = { address: user.email, purpose: `security-${notice}`, about, isNew: false, reader: user };
    const write = (issue: IssueToken) => this.write(user, notice, events, issue);
    const sent = await this.oneTimeTokenMailer.send(userId, recipient, write);
    if (sent.outcome !== 'postponed') {
      await this.postponed.remove(waiting);
      if (!facts) await this.reportLater(userId, notice, about, 0); // there may be more
      return ok();
    }
    return this.unitOfWork.transaction(async () => {
      if (facts) await this.postponed.add(PostponedNotice.of(topic, facts, this.clock.now()));
      await this.reportLater(userId, notice, about, sent.seconds);
      return ok();
    });
  }

  /** One job waits for each topic. */
  private reportLater(userId: string, notice: SecurityNotice, about: string | undefined, pause: number): Promise<void> {
    const key = `postponed-notices:${userId}:${notice}:${about ?? ''}`;
    return this.jobs.enqueue(new SendSecurityMail(userId, notice, null, about), key, pause);
  }

  /** @param events the newest last */
  private async write(
    user: User,
    notice: SecurityNotice,
    events: readonly SecurityFacts[],
    issue: IssueToken,
  ): Promise<Mail> {
    const newest = events.at(-1)!;
    const names = await this.users.namesOf(events.flatMap(({ receiver }) => receiver?.by ?? []));
    const whoIn = ({ receiver }: SecurityFacts) => receiver && nameIn(names, receiver);
    const earlier = events.slice(0, -1);
    const listed = earlier.slice(0, MOST_LISTED).map((facts) => ({ ...facts, who: whoIn(facts) }));
    return SECURITY_MAILS[notice].with({
      ...newest,
      device: newest.device,
      where: newest.where,
      who: whoIn(newest),
      name: newest.isUnnamed ? undefined : user.name,
      url: await this.url(notice, newest, issue),
      earlier: listed,
      more: earlier.length - listed.length,
    });
  }

  /** What the button of the email opens. */
  private async url(notice: SecurityNotice, facts: SecurityFacts, issue: IssueToken): Promise<string> {
    const { receiver, workspaceId } = facts;
    const { frontendUrl } = this.settings;
    if (workspaceId) return tenantLink(this.settings, '/members', workspaceId);
    if (notice === 'account-secured') return `${frontendUrl}/forgot-password`;
    if (OF_THE_WORKSPACE.includes(notice)) return frontendUrl;
    if (notice === 'receiver-changed-by-another') return pageOf(this.settings, receiver!);
    if (notice === 'factor-reset-requested') return stopFactorResetUrl(this.settings, await issue('factor-keeping'));
    return `${frontendUrl}/secure-account#token=${await issue('securing')}`;
  }
}

const nameIn = (names: ReadonlyMap<string, string>, { by }: ReceiverFacts): string =>
  by === null ? 'a program with an API key' : (names.get(by) ?? 'a former user');

/** Where a member finds and removes it. */
const pageOf = (settings: Settings, { kind, tenantId }: ReceiverFacts): string =>
  tenantLink(settings, kind === 'An audit stream' ? '/audit-streams' : '/webhooks', tenantId);
