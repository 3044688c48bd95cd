import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { STREAM_COLUMNS, STREAM_STATE, withLag } from '../data/audit-streams.columns';
import { AuditStream } from '../domain/audit-stream';
import type { AuditStreamStateView } from '../http/views/audit-streams.views';

/** Gets a stream of the active tenant. NOT_FOUND. */
export class GetAuditStream extends Query<Result<AuditStreamStateView, 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly streamId: string,
  ) {
    super();
  }
}

@QueryHandler(GetAuditStream)
export class GetAuditStreamHandler implements IQueryHandler<GetAuditStream> {
  constructor(
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, streamId }: GetAuditStream) {
    const where = { tenantId: actor.tenantId, id: streamId };
    const rows = { scope: actor, select: STREAM_COLUMNS, computed: STREAM_STATE, where, isFresh: true };
    const stream = await this.reader.findOne(AuditStream, rows);
    return stream ? ok(withLag(stream, this.clock.now())) : err(PlatformFailures.notFound);
  }
}
