import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../edge/access';
import { CurrentTenantActor, type TenantActor } from '../../edge/actor';
import { Answers } from '../../edge/openapi-answers';
import { PageQuery } from '../../edge/page';
import { AuditEntryView } from '../audit.views';
import { ListAuditLog } from '../queries/list-audit-log';

@ApiTags('audit')
@Controller('tenants/current/audit-log')
export class AuditController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @RequirePermission('tenant.audit.read')
  @Answers({ summary: 'What has happened in the active tenant', data: AuditEntryView, list: true })
  listTenantAuditLog(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListAuditLog(actor, { tenant: actor.tenantId }, page));
  }
}
