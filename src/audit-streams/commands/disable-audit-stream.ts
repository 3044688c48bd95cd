import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import type { Result } from '../../platform/result';
import { OperatorChanges } from '../../webhooks/webhooks.api';
import { AuditStreamDisabled } from '../audit-streams.events';
import { AuditStreamRepository } from '../data/audit-stream.repository';

/**
 * Disables a stream of any tenant as an operator; only operators enable it again. Idempotent. The
 * Owner is told. NOT_FOUND; FORBIDDEN if the caller's admin flag was revoked after the token was
 * issued.
 */
export class DisableAuditStream extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly streamId: string,
    /** Why, for the audit log, which members of the tenant can read. */
    readonly reason?: string,
  ) {
    super();
  }
}

@CommandHandler(DisableAuditStream)
export class DisableAuditStreamHandler implements ICommandHandler<DisableAuditStream> {
  constructor(
    private readonly changes: OperatorChanges,
    private readonly streams: AuditStreamRepository,
    private readonly clock: Clock,
  ) {}

  execute({ actor, streamId, reason }: DisableAuditStream) {
    return this.changes.apply(actor, this.streams, streamId, (stream) => {
      if (stream.isStoppedByOperator) return undefined;
      stream.stopByOperator(this.clock.now());
      return new AuditStreamDisabled(stream, { by: actor, note: reason });
    });
  }
}
