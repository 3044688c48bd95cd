import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import type { NameView } from '../http/views/name.views';

/** Resolves the names of users and tenants; unknown ids are omitted. */
export class ListNames extends Query<Result<Page<NameView>>> {
  constructor(readonly ids: readonly string[]) {
    super();
  }
}

const NAMES = `
  SELECT id, 'user' AS kind, name, email FROM users WHERE id = ANY($1::uuid[])
   UNION ALL
  SELECT id, 'tenant', name, NULL FROM tenants WHERE id = ANY($1::uuid[])`;

@QueryHandler(ListNames)
export class ListNamesHandler implements IQueryHandler<ListNames> {
  constructor(private readonly database: Database) {}

  async execute({ ids }: ListNames): Promise<Result<Page<NameView>>> {
    return ok({ items: await this.database.readInTenant<NameView>(EVERY_TENANT, NAMES, [ids]), nextCursor: null });
  }
}
