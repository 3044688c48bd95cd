import { Controller, Get, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags, OmitType } from '@nestjs/swagger';
import { ListAuditLog } from '../../audit/audit.api';
import { AdminOnly, LiveSession } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { CsvResponse } from '../../http/responses/csv-response.decorator';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { ExportList, fileOf } from '../commands/export-list';
import { AUDIT_CSV, JOB_CSV, TENANT_CSV, USER_CSV, WEBHOOK_EVENT_CSV } from './views/csv-columns.views';
import { ListAllTenants } from '../queries/list-all-tenants';
import { ListJobs } from '../queries/list-jobs';
import { ListUsers } from '../queries/list-users';
import { ListWebhookEvents } from '../queries/list-webhook-events';
import { AuditSearch, JobSearch, TenantSearch, UserSearch, WebhookEventSearch } from './list-searches.params';

class UserFilters extends OmitType(UserSearch, ['limit', 'cursor']) {}
class TenantFilters extends OmitType(TenantSearch, ['limit', 'cursor']) {}
class AuditFilters extends OmitType(AuditSearch, ['limit', 'cursor']) {}
class WebhookEventFilters extends OmitType(WebhookEventSearch, ['limit', 'cursor']) {}
class JobFilters extends OmitType(JobSearch, ['limit', 'cursor']) {}

/** The lists for operators as CSV files, with the filters of the lists. */
@ApiTags('admin')
@Controller('admin')
@AdminOnly()
export class AdminExportsController {
  constructor(private readonly commands: CommandBus) {}

  @Get('users/export')
  @Responds({ summary: 'Export users' })
  @LiveSession()
  @CsvResponse('operator')
  exportUsers(@CurrentActor() actor: Actor, @Query() filter: UserFilters) {
    const file = fileOf('users', USER_CSV, (page) => new ListUsers(filter.search, filter.state, page));
    return this.commands.execute(new ExportList(actor, 'user', filter, file));
  }

  @Get('tenants/export')
  @Responds({ summary: 'Export tenants' })
  @LiveSession()
  @CsvResponse('operator')
  exportTenants(@CurrentActor() actor: Actor, @Query() filter: TenantFilters) {
    const file = fileOf('tenants', TENANT_CSV, (page) => new ListAllTenants(filter, page));
    return this.commands.execute(new ExportList(actor, 'tenant', filter, file));
  }

  @Get('audit-log/export')
  @Responds({ summary: 'Export the audit log' })
  @LiveSession()
  @CsvResponse('operator')
  exportAuditLog(@CurrentActor() actor: Actor, @Query() filter: AuditFilters) {
    const file = fileOf('audit-log', AUDIT_CSV, (page) => new ListAuditLog(EVERY_TENANT, filter, page));
    return this.commands.execute(new ExportList(actor, 'audit-log', filter, file));
  }

  @Get('webhook-events/export')
  @Responds({ summary: 'Export webhook events' })
  @LiveSession()
  @CsvResponse('operator')
  exportWebhookEvents(@CurrentActor() actor: Actor, @Query() filter: WebhookEventFilters) {
    const file = fileOf('webhook-events', WEBHOOK_EVENT_CSV, (page) => new ListWebhookEvents(filter, page));
    return this.commands.execute(new ExportList(actor, 'webhook-event', filter, file));
  }

  @Get('jobs/export')
  @Responds({ summary: 'Export jobs' })
  @LiveSession()
  @CsvResponse('operator')
  exportJobs(@CurrentActor() actor: Actor, @Query() filter: JobFilters) {
    const file = fileOf('jobs', JOB_CSV, (page) => new ListJobs(filter, page));
    return this.commands.execute(new ExportList(actor, 'job', filter, file));
  }
}
