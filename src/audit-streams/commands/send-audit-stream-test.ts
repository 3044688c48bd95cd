import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { EntityReader } from '../../platform/database/entity-reader';
import { newId } from '../../platform/ids';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AuditStreamFailures } from '../audit-streams.failures';
import { testBody } from '../domain/audit-batch';
import { AuditStream } from '../domain/audit-stream';
import type { AuditStreamTestView } from '../http/views/audit-streams.views';
import { StreamAttempt } from '../services/stream-attempt';

/**
 * Sends a request without entries to the receiver of a stream, also of a disabled one. It changes
 * nothing. No lock or transaction is open meanwhile. NOT_FOUND; CONFLICT if an operator disabled
 * it.
 */
export class SendAuditStreamTest extends Command<Result<AuditStreamTestView, 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly streamId: string,
  ) {
    super();
  }
}

@CommandHandler(SendAuditStreamTest)
export class SendAuditStreamTestHandler implements ICommandHandler<SendAuditStreamTest> {
  constructor(
    private readonly reader: EntityReader,
    private readonly attempt: StreamAttempt,
  ) {}

  async execute({ actor, streamId }: SendAuditStreamTest) {
    const where = { tenantId: actor.tenantId, id: streamId };
    const stream = await this.reader.findEntity(AuditStream, { scope: actor, where, isFresh: true });
    if (!stream) return err(PlatformFailures.notFound);
    if (stream.isStoppedByOperator) return err(AuditStreamFailures.disabledByOperator);
    const { attempt } = await this.attempt.send(stream, { id: `${stream.id}_test_${newId()}`, body: testBody(stream) });
    const { milliseconds, status, error, response } = attempt;
    return ok({ milliseconds, status, error, response });
  }
}
