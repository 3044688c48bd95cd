import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import type { Page, PageRequest } from '../../platform/pagination';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { API_KEY_COLUMNS } from '../data/api-key.columns';
import { ApiKey } from '../domain/api-key';
import type { ApiKeyView } from '../http/views/keys.views';

/**
 * Lists the keys of the active tenant, newest first: those of service accounts and the personal
 * tokens of members, also those that can no longer be used.
 */
export class ListKeys extends Query<Result<Page<ApiKeyView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListKeys)
export class ListKeysHandler implements IQueryHandler<ListKeys> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, page }: ListKeys): Promise<Result<Page<ApiKeyView>>> {
    const rows = { scope: actor, select: API_KEY_COLUMNS, where: { tenantId: actor.tenantId } };
    return ok(await this.reader.findPage(ApiKey, rows, page));
  }
}
