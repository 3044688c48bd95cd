import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { deviceKind } from '../../../auth/auth.api';
import type { Actor } from '../../../http/access/actor';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { withoutClaim } from '../../../platform/idempotency/without-claim';
import { Jobs } from '../../../platform/jobs/jobs';
import { currentContext } from '../../../platform/observability/request-context';
import { PlatformFailures } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';
import { UserRepository } from '../../../users/users.api';
import { AccountFailures } from '../../accounts.failures';
import { EmailChangeRequestRepository } from '../data/email-change-request.repository';
import { EmailChangeRepository } from '../data/email-change.repository';
import { MAX_OPEN_CHANGES } from '../domain/email-change';
import { EmailChangeRequest } from '../domain/email-change-request';
import { EmailClaim } from '../services/email-claim';
import { codeJobKey, SendEmailChangeCode } from './send-email-change-code';

/**
 * Enqueues an email with a code for ChangeEmail to another address. It replaces an earlier request.
 * VALIDATION_ERROR for the address that the account has; EMAIL_TAKEN if a verified account has it;
 * RATE_LIMITED after 10 requests in a day; LIMIT_REACHED if 5 changes can still be undone.
 */
export class RequestEmailChange extends Command<
  Result<void, 'EMAIL_TAKEN' | 'LIMIT_REACHED' | 'RATE_LIMITED' | 'UNAUTHENTICATED' | 'VALIDATION_ERROR'>
> {
  constructor(
    readonly actor: Pick<Actor, 'userId'>,
    readonly email: string,
  ) {
    super();
  }
}

@CommandHandler(RequestEmailChange)
export class RequestEmailChangeHandler implements ICommandHandler<RequestEmailChange> {
  constructor(
    private readonly users: UserRepository,
    private readonly requests: EmailChangeRequestRepository,
    private readonly changes: EmailChangeRepository,
    private readonly emailClaim: EmailClaim,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * A request is counted before it reveals whether the address is taken, also when it is refused.
   */
  async execute({ actor: { userId }, email }: RequestEmailChange) {
    const counted = await withoutClaim(() => this.unitOfWork.transaction(() => this.begin(userId, email)));
    return counted.ok ? this.unitOfWork.transaction(() => this.request(userId, email)) : counted;
  }

  private async begin(userId: string, email: string) {
    const user = await this.users.lock(userId);
    if (!user) return err(PlatformFailures.unauthenticated);
    return user.email === email ? err(AccountFailures.sameEmail) : this.count(userId, email);
  }

  private async request(userId: string, email: string): Promise<Result<void, 'EMAIL_TAKEN' | 'LIMIT_REACHED'>> {
    const allowed = await this.check(userId, email);
    if (!allowed.ok) return allowed;
    const requestedAt = this.clock.now().toISOString();
    const command = new SendEmailChangeCode(userId, email, requestedAt, deviceKind(currentContext().userAgent));
    await this.jobs.enqueue(command, codeJobKey(userId, email));
    return ok();
  }

  private async check(userId: string, email: string): Promise<Result<void, 'EMAIL_TAKEN' | 'LIMIT_REACHED'>> {
    const now = this.clock.now();
    const open = (await this.changes.list(userId)).filter((change) => change.checkUndo(now).ok);
    return open.length < MAX_OPEN_CHANGES ? this.emailClaim.check(email) : err(AccountFailures.tooManyEmailChanges);
  }

  private async count(userId: string, email: string): Promise<Result<void, 'RATE_LIMITED'>> {
    const now = this.clock.now();
    const request = await this.requests.find(userId);
    if (!request) return ok(await this.requests.add(EmailChangeRequest.start(userId, email, now)));
    const counted = request.repeat(email, now);
    if (counted.ok) await this.requests.save(request);
    return counted;
  }
}
