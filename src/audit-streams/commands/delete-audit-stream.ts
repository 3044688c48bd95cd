import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AuditStreamDeleted } from '../audit-streams.events';
import { AuditStreamFailures } from '../audit-streams.failures';
import { AuditStreamRepository } from '../data/audit-stream.repository';

/**
 * Deletes a stream. A batch that is being sent may still arrive. NOT_FOUND; CONFLICT if an operator
 * disabled it, which would be forgotten.
 */
export class DeleteAuditStream extends Command<Result<void, 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly streamId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteAuditStream)
export class DeleteAuditStreamHandler implements ICommandHandler<DeleteAuditStream> {
  constructor(
    private readonly streams: AuditStreamRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, streamId }: DeleteAuditStream) {
    return this.unitOfWork.inTenant(actor, async () => {
      const stream = await this.streams.lock(actor.tenantId, streamId);
      if (!stream) return err(PlatformFailures.notFound);
      if (stream.isStoppedByOperator) return err(AuditStreamFailures.disabledByOperator);
      await this.streams.remove(stream);
      await this.events.publish(new AuditStreamDeleted(actor, stream));
      return ok();
    });
  }
}
