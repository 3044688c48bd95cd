import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MINUTE } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Job, Jobs, type JobRequest } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { SignInNotCompleted } from '../auth.events';
import { SignInTicketRepository } from '../data/sign-in-ticket.repository';
import { deviceKind } from '../domain/device-kind';
import { TICKET_SECONDS, type SignInTicket } from '../domain/sign-in-ticket';
import { SendSecurityMail } from './send-security-mail';

/**
 * Records the sign-ins of a user that were not completed with the second factor, and emails the
 * user if one came from an unknown browser: whoever started it knows the password or can read the
 * email.
 */
@Job('record-unfinished-sign-ins')
export class RecordUnfinishedSignIns extends Command<Result> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The job after a ticket has expired: one for all tickets that a user has at a time. */
export const unfinishedSignInRecord = (userId: string): JobRequest => ({
  command: new RecordUnfinishedSignIns(userId),
  key: `unfinished-sign-ins:${userId}`,
  pause: TICKET_SECONDS + MINUTE,
});

@CommandHandler(RecordUnfinishedSignIns)
export class RecordUnfinishedSignInsHandler implements ICommandHandler<RecordUnfinishedSignIns> {
  constructor(
    private readonly tickets: SignInTicketRepository,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ userId }: RecordUnfinishedSignIns): Promise<Result> {
    return this.unitOfWork.transaction(async () => {
      const expired = await this.tickets.takeExpired(userId);
      await this.events.publish(...expired.map((ticket) => new SignInNotCompleted(ticket)));
      const stranger = expired.find(({ isKnownBrowser }) => !isKnownBrowser);
      if (stranger) await this.jobs.enqueue(mailAbout(stranger));
      if (await this.tickets.existsFor(userId)) await this.jobs.enqueueAll([unfinishedSignInRecord(userId)]);
      return ok();
    });
  }
}

const mailAbout = ({ userId, issuedAt, userAgent }: SignInTicket) =>
  new SendSecurityMail(userId, 'sign-in-not-completed', {
    at: issuedAt.toISOString(),
    device: deviceKind(userAgent),
  });
