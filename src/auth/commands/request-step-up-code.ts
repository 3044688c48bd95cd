import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Jobs } from '../../platform/jobs/jobs';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { UserRepository } from '../../users/users.api';
import { StepUpMethods } from '../services/step-up-methods';
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
    private readonly stepUpMethods: StepUpMethods,
    private readonly jobs: Jobs,
  ) {}

  async execute({ actor: { userId } }: RequestStepUpCode) {
    const user = await this.users.findById(userId);
    if (!user) return err(PlatformFailures.unauthenticated);
    const allowed = await this.stepUpMethods.check(user, 'email-code');
    if (!allowed.ok) return allowed;
    await this.jobs.enqueue(new SendStepUpCode(userId), `step-up-code:${userId}`);
    return ok();
  }
}
