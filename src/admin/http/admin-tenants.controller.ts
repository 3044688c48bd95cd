import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../edge/access';
import { SearchParameter } from '../../edge/fields';
import { Answers } from '../../edge/openapi-answers';
import { PageQuery } from '../../edge/page';
import { IdParam } from '../../edge/uuid-param';
import { PlatformFailures } from '../../platform/platform.failures';
import { MemberView } from '../../tenants/tenants.contract';
import { AdminTenantView } from '../admin.views';
import { GetTenant } from '../queries/get-tenant';
import { ListAllTenants } from '../queries/list-all-tenants';
import { ListTenantMembers } from '../queries/list-tenant-members';

class TenantSearch extends PageQuery {
  @SearchParameter('The beginning of the name, in any case, or an id') search?: string;
}

/** Tenants, for operators. */
@ApiTags('admin')
@Controller('admin/tenants')
export class AdminTenantsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @AdminOnly()
  @Answers({ summary: 'Find tenants', data: AdminTenantView, list: true })
  listAllTenants(@Query() query: TenantSearch) {
    return this.queries.execute(new ListAllTenants(query.search, query));
  }

  @Get(':id')
  @AdminOnly()
  @Answers({ summary: 'A tenant', data: AdminTenantView, failures: [PlatformFailures.notFound] })
  getTenant(@IdParam('id') id: string) {
    return this.queries.execute(new GetTenant(id));
  }

  @Get(':id/members')
  @AdminOnly()
  @Answers({ summary: 'The members of a tenant', data: MemberView, list: true, failures: [PlatformFailures.notFound] })
  listTenantMembers(@IdParam('id') id: string, @Query() page: PageQuery) {
    return this.queries.execute(new ListTenantMembers(id, page));
  }
}
