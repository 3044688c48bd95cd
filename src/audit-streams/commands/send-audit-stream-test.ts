import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { newId } from '../../platform/ids';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { HOST_PAUSE, ReceiverHostRepository } from '../../webhooks/webhooks.api';
import { AuditStreamFailures } from '../audit-streams.failures';
import { testBody } from '../domain/audit-batch';
import { AuditStream } from '../domain/audit-stream';
import type { AuditStreamTestView } from '../http/views/audit-streams.views';
import { StreamAttempt } from '../services/stream-attempt';

/** The host was asked within the last minute, and has never answered with 2xx. */
const NOT_YET = {
  ...PlatformFailures.rateLimited,
  message: 'This host has never answered with 2xx, so it gets one request a minute. Try again later.',
  retryAfter: HOST_PAUSE,
};

/**
 * Sends a request without entries to the receiver of a stream, also of a disabled one. It changes
 * nothing. No lock or transaction is open meanwhile. NOT_FOUND; CONFLICT if an operator disabled
 * it; RATE_LIMITED within a minute after another request to a host that never answered with 2xx.
 */
export class SendAuditStreamTest extends Command<
  Result<AuditStreamTestView, 'CONFLICT' | 'NOT_FOUND' | 'RATE_LIMITED'>
> {
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
    private readonly hosts: ReceiverHostRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, streamId }: SendAuditStreamTest) {
    const where = { tenantId: actor.tenantId, id: streamId };
    const stream = await this.reader.findEntity(AuditStream, { scope: actor, where, isFresh: true });
    if (!stream) return err(PlatformFailures.notFound);
    if (stream.isStoppedByOperator) return err(AuditStreamFailures.disabledByOperator);
    if (stream.lastSuccessAt === null && !(await this.takeTurn(stream))) return err(NOT_YET);
    const { attempt } = await this.attempt.send(stream, { id: `${stream.id}_test_${newId()}`, body: testBody(stream) });
    if (stream.lastSuccessAt === null && attempt.error === null) await this.answered(stream);
    const { milliseconds, status, error, response } = attempt;
    return ok({ milliseconds, status, error, response });
  }

  private async takeTurn(stream: AuditStream): Promise<boolean> {
    const work = async () => ok(await this.hosts.claim([stream], this.clock.now()));
    const granted = await this.unitOfWork.acrossTenants(work);
    return granted.ok && granted.value.has(stream);
  }

  private async answered(stream: AuditStream): Promise<void> {
    await this.unitOfWork.acrossTenants(async () => ok(await this.hosts.answered(stream, this.clock.now())));
  }
}
