import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import type { Result } from '../../platform/result';
import { OperatorChanges } from '../../webhooks/webhooks.api';
import { AuditStreamChanged } from '../audit-streams.events';
import { AuditStreamRepository } from '../data/audit-stream.repository';

/**
 * Enables a stream of any tenant as an operator, whoever disabled it. It continues where it
 * stopped. Idempotent. NOT_FOUND; FORBIDDEN if the caller's admin flag was revoked after the token
 * was issued.
 */
export class EnableAuditStream extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly streamId: string,
  ) {
    super();
  }
}

@CommandHandler(EnableAuditStream)
export class EnableAuditStreamHandler implements ICommandHandler<EnableAuditStream> {
  constructor(
    private readonly changes: OperatorChanges,
    private readonly streams: AuditStreamRepository,
    private readonly clock: Clock,
  ) {}

  execute({ actor, streamId }: EnableAuditStream) {
    return this.changes.apply(actor, this.streams, streamId, (stream) => {
      if (!stream.isDisabled) return undefined;
      stream.change({ enabled: true }, this.clock.now());
      return new AuditStreamChanged(actor, stream, ['enabled']);
    });
  }
}
