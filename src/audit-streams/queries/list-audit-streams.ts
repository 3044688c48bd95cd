import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { STREAM_COLUMNS, STREAM_STATE, withLag } from '../data/audit-streams.columns';
import { AuditStream } from '../domain/audit-stream';
import type { AuditStreamStateView } from '../http/views/audit-streams.views';

/** Lists the streams of the active tenant, newest first. */
export class ListAuditStreams extends Query<Result<Page<AuditStreamStateView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListAuditStreams)
export class ListAuditStreamsHandler implements IQueryHandler<ListAuditStreams> {
  constructor(
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, page }: ListAuditStreams): Promise<Result<Page<AuditStreamStateView>>> {
    const where = { tenantId: actor.tenantId };
    const rows = { scope: actor, select: STREAM_COLUMNS, computed: STREAM_STATE, where, isFresh: true };
    const { items, nextCursor } = await this.reader.findPage(AuditStream, rows, page);
    return ok({ items: items.map((stream) => withLag(stream, this.clock.now())), nextCursor });
  }
}
