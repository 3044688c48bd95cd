import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { SendStepUpCode } from './send-step-up-code';

/** Enqueues an email with a code for VerifyIdentity. */
export class RequestStepUpCode extends Command<Result> {
  constructor(readonly actor: Pick<Actor, 'userId'>) {
    super();
  }
}

@CommandHandler(RequestStepUpCode)
export class RequestStepUpCodeHandler implements ICommandHandler<RequestStepUpCode> {
  constructor(private readonly jobs: Jobs) {}

  /** One statement, its own transaction. */
  async execute({ actor: { userId } }: RequestStepUpCode): Promise<Result> {
    await this.jobs.enqueue(new SendStepUpCode(userId), `step-up-code:${userId}`);
    return ok();
  }
}
