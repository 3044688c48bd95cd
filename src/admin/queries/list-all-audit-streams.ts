import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AuditStream, withLag } from '../../audit-streams/audit-streams.api';
import { Clock } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { AUDIT_STREAM_ROWS } from '../data/audit-stream.columns';
import type { AdminAuditStreamView } from '../http/views/audit-stream.views';
import { hostOnly, receiverCondition, type ReceiverFilter } from '../services/receiver-filter';

/** Lists audit streams of all tenants, newest first. */
export class ListAllAuditStreams extends Query<Result<Page<AdminAuditStreamView>>> {
  constructor(
    readonly filter: ReceiverFilter,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListAllAuditStreams)
export class ListAllAuditStreamsHandler implements IQueryHandler<ListAllAuditStreams> {
  constructor(
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  async execute({ filter, page }: ListAllAuditStreams) {
    const rows = { ...AUDIT_STREAM_ROWS, where: { ...receiverCondition(filter) } };
    const found = await this.reader.findPage(AuditStream, rows, page);
    const now = this.clock.now();
    return ok({ ...found, items: found.items.map((stream) => hostOnly(withLag(stream, now))) });
  }
}
