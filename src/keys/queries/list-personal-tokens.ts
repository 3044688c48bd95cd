import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page, PageRequest } from '../../platform/pagination';
import { EntityReader } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { ok, type Result } from '../../platform/result';
import { API_KEY_COLUMNS } from '../data/api-key.columns';
import { ApiKey } from '../domain/api-key';
import type { ApiKeyView } from '../http/views/keys.views';

/** Lists the personal tokens of a user in all tenants, newest first. */
export class ListPersonalTokens extends Query<Result<Page<ApiKeyView>>> {
  constructor(
    readonly userId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListPersonalTokens)
export class ListPersonalTokensHandler implements IQueryHandler<ListPersonalTokens> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ userId, page }: ListPersonalTokens): Promise<Result<Page<ApiKeyView>>> {
    const rows = { scope: EVERY_TENANT, select: API_KEY_COLUMNS, where: { userId } } as const;
    return ok(await this.reader.findPage(ApiKey, rows, page));
  }
}
