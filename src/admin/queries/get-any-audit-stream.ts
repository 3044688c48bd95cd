import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { AuditStream, withLag } from '../../audit-streams/audit-streams.api';
import { Clock } from '../../platform/clock';
import { EntityReader } from '../../platform/database/entity-reader';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { AUDIT_STREAM_ROWS } from '../data/audit-stream.columns';
import type { AdminAuditStreamView } from '../http/views/audit-stream.views';
import { hostOnly } from '../services/receiver-filter';

/** Gets an audit stream of any tenant. NOT_FOUND. */
export class GetAnyAuditStream extends Query<Result<AdminAuditStreamView, 'NOT_FOUND'>> {
  constructor(readonly id: string) {
    super();
  }
}

@QueryHandler(GetAnyAuditStream)
export class GetAnyAuditStreamHandler implements IQueryHandler<GetAnyAuditStream> {
  constructor(
    private readonly reader: EntityReader,
    private readonly clock: Clock,
  ) {}

  async execute({ id }: GetAnyAuditStream) {
    const stream = await this.reader.findOne(AuditStream, { ...AUDIT_STREAM_ROWS, where: { id } });
    return stream ? ok(hostOnly(withLag(stream, this.clock.now()))) : err(PlatformFailures.notFound);
  }
}
