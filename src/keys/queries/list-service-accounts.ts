import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import type { Page, PageRequest } from '../../platform/pagination';
import { EntityReader } from '../../platform/database/entity-reader';
import { ok, type Result } from '../../platform/result';
import { SERVICE_ACCOUNT_COLUMNS } from '../data/service-account.columns';
import { ServiceAccount } from '../domain/service-account';
import type { ServiceAccountView } from '../http/views/keys.views';

/** Lists the service accounts of the active tenant, newest first. */
export class ListServiceAccounts extends Query<Result<Page<ServiceAccountView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListServiceAccounts)
export class ListServiceAccountsHandler implements IQueryHandler<ListServiceAccounts> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, page }: ListServiceAccounts): Promise<Result<Page<ServiceAccountView>>> {
    const rows = { scope: actor, select: SERVICE_ACCOUNT_COLUMNS, where: { tenantId: actor.tenantId } };
    return ok(await this.reader.findPage(ServiceAccount, rows, page));
  }
}
