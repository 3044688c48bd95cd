import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { SendPasswordRemovedMail } from '../mails/password-removed.mail';
import { SessionRevoker } from '../services/session-revoker';

/**
 * Removes a password that was set before the mailbox was proven, and that its owner has not used
 * since: a stranger may have registered the address, and would get into the workspace that the
 * owner has just joined. Sessions without proof of the mailbox end, and an email says so.
 */
@Job('remove-doubtful-password')
export class RemoveDoubtfulPassword extends Command<Result> {
  constructor(readonly userId: string) {
    super();
  }
}

@CommandHandler(RemoveDoubtfulPassword)
export class RemoveDoubtfulPasswordHandler implements ICommandHandler<RemoveDoubtfulPassword> {
  constructor(
    private readonly users: UserRepository,
    private readonly sessionRevoker: SessionRevoker,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ userId }: RemoveDoubtfulPassword): Promise<Result> {
    return this.unitOfWork.transaction(async () => {
      const user = await this.users.lock(userId);
      if (!user?.isPasswordInDoubt) return ok();
      user.removePassword();
      await this.users.save(user);
      await this.sessionRevoker.revokeUnproven(userId, 'mailbox-claimed');
      await this.jobs.enqueue(new SendPasswordRemovedMail(user.email));
      return ok();
    });
  }
}
