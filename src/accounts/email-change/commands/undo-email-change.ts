import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../../platform/clock';
import { err, ok, type Result } from '../../../platform/result';
import { digestOf } from '../../../platform/secret-token';
import { UserRepository } from '../../../users/users.api';
import { AccountFailures } from '../../accounts.failures';
import { EmailChangeRepository } from '../data/email-change.repository';
import type { EmailChange } from '../domain/email-change';
import { EmailClaim } from '../services/email-claim';
import { EmailRestoration } from '../services/email-restoration';

/**
 * Gives an account an earlier address back, with the token of the email to that address; nobody has
 * to be signed in (see EmailRestoration). UNDO_TOKEN_INVALID; UNDO_TOKEN_EXPIRED; EMAIL_TAKEN if
 * another account has proven the address in the meantime: the token stays valid.
 */
export class UndoEmailChange extends Command<
  Result<void, 'EMAIL_TAKEN' | 'UNDO_TOKEN_EXPIRED' | 'UNDO_TOKEN_INVALID'>
> {
  constructor(readonly token: string) {
    super();
  }
}

@CommandHandler(UndoEmailChange)
export class UndoEmailChangeHandler implements ICommandHandler<UndoEmailChange> {
  constructor(
    private readonly users: UserRepository,
    private readonly changes: EmailChangeRepository,
    private readonly emailClaim: EmailClaim,
    private readonly emailRestoration: EmailRestoration,
    private readonly clock: Clock,
  ) {}

  execute({ token }: UndoEmailChange) {
    return this.emailClaim.transaction(async () => {
      const known = await this.find(token);
      if (!known.ok) return known;
      const user = await this.users.lock(known.value.userId);
      const change = await this.find(token); // as it is under the lock: of two calls, one undoes it
      if (!user || !change.ok) return change.ok ? err(AccountFailures.undoInvalid) : change;
      return this.emailRestoration.restore(user, change.value);
    });
  }

  private async find(token: string): Promise<Result<EmailChange, 'UNDO_TOKEN_EXPIRED' | 'UNDO_TOKEN_INVALID'>> {
    const change = await this.changes.findByToken(digestOf(token));
    if (!change) return err(AccountFailures.undoInvalid);
    const open = change.checkUndo(this.clock.now());
    return open.ok ? ok(change) : open;
  }
}
