import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { In } from 'typeorm';
import type { Page } from '../../platform/pagination';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { Tenant } from '../../tenants/tenants.api';
import { User } from '../../users/users.api';
import type { NameView } from '../http/views/name.views';

/** Resolves the names of users and tenants; unknown ids are omitted. */
export class ListNames extends Query<Result<Page<NameView>>> {
  constructor(readonly ids: readonly string[]) {
    super();
  }
}

@QueryHandler(ListNames)
export class ListNamesHandler implements IQueryHandler<ListNames> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ ids }: ListNames): Promise<Result<Page<NameView>>> {
    const rows = { where: { id: In([...ids]) }, order: { id: 'ASC' }, limit: ids.length } as const;
    const [users, tenants] = await Promise.all([
      this.reader.find(User, { ...rows, select: ['id', 'name', 'email'] }),
      this.reader.find(Tenant, { ...rows, select: ['id', 'name'], scope: EVERY_TENANT }),
    ]);
    const items: NameView[] = [
      ...users.map((user) => ({ ...user, kind: 'user' as const })),
      ...tenants.map((tenant) => ({ ...tenant, kind: 'tenant' as const, email: null })),
    ];
    return ok({ items, nextCursor: null });
  }
}
