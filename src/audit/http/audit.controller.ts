import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { AuditEntryView } from './views/audit.views';
import { ListTenantAuditLog } from '../queries/list-tenant-audit-log';

@ApiTags('audit')
@Controller('tenants/current/audit-log')
export class AuditController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @RequirePermission('tenant.audit.read')
  @Responds({
    summary: 'List audit log entries',
    description: "Entries of the active tenant, newest first, within the plan's retention period.",
    data: AuditEntryView,
    list: true,
  })
  listTenantAuditLog(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListTenantAuditLog(actor, page));
  }
}
