import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainEvents, type ActorRef, type Target } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';
import { AdminViewed } from '../admin.events';

/**
 * Records in the audit log that an operator viewed something, with the filters of the request
 * (docs/contract.md, Audit log).
 */
export class RecordView extends Command<Result> {
  constructor(
    readonly by: ActorRef,
    readonly target: Target,
    readonly filters: Readonly<Record<string, unknown>>,
  ) {
    super();
  }
}

@CommandHandler(RecordView)
export class RecordViewHandler implements ICommandHandler<RecordView> {
  constructor(private readonly events: DomainEvents) {}

  async execute({ by, target, filters }: RecordView): Promise<Result> {
    await this.events.publish(new AdminViewed(by, target, filters));
    return ok();
  }
}
