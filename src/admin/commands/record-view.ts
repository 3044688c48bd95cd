import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainEvent, DomainEvents, type ActorRef, type Target } from '../../platform/domain-events';
import { ok, type Result } from '../../platform/result';

/** An operator looked at accounts or at the audit log. */
class AdminViewed extends DomainEvent {
  constructor(by: ActorRef, target: Target, asked: Readonly<Record<string, unknown>>) {
    super('admin.viewed', by, null, target, asked);
  }
}

/**
 * Writes into the audit log that an operator looks at something, and what they asked for (contract
 * section 11, Being told).
 */
export class RecordView extends Command<Result> {
  constructor(
    readonly by: ActorRef,
    readonly target: Target,
    readonly asked: Readonly<Record<string, unknown>>,
  ) {
    super();
  }
}

@CommandHandler(RecordView)
export class RecordViewHandler implements ICommandHandler<RecordView> {
  constructor(private readonly events: DomainEvents) {}

  async execute({ by, target, asked }: RecordView): Promise<Result> {
    await this.events.publish(new AdminViewed(by, target, asked));
    return ok();
  }
}
