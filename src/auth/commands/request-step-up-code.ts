import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Jobs } from '../../platform/jobs/jobs';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { anotherStepUpMethod, stepUpMethods } from '../domain/step-up-method';
import { SendStepUpCode } from './send-step-up-code';

/**
 * Enqueues an email with a code for VerifyIdentity. VALIDATION_ERROR if the account needs another
 * method.
 */
export class RequestStepUpCode extends Command<Result<void, 'UNAUTHENTICATED' | 'VALIDATION_ERROR'>> {
  constructor(readonly actor: Pick<Actor, 'userId'>) {
    super();
  }
}

@CommandHandler(RequestStepUpCode)
export class RequestStepUpCodeHandler implements ICommandHandler<RequestStepUpCode> {
  constructor(
    private readonly users: UserRepository,
    private readonly jobs: Jobs,
  ) {}

  async execute({ actor: { userId } }: RequestStepUpCode) {
    const user = await this.users.findById(userId);
    if (!user) return err(PlatformFailures.unauthenticated);
    if (!stepUpMethods(user).includes('email-code')) return err(anotherStepUpMethod(user));
    await this.jobs.enqueue(new SendStepUpCode(userId), `step-up-code:${userId}`);
    return ok();
  }
}
