import { Controller, Get } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ExportTenantAuditLog } from '../../../audit/audit.api';
import { LiveSession, RequirePermission } from '../../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../../http/access/actor';
import { Responds } from '../../../http/openapi/openapi-responses.decorator';
import { CsvResponse } from '../../../http/responses/csv-response.decorator';
import { PlatformFailures } from '../../../platform/platform.failures';
import { RequireEntitlement } from './require-entitlement.guard';

/** The audit log as a file. It is here because the audit module knows nothing of plans. */
@ApiTags('audit')
@Controller('tenants/current/audit-log')
export class AuditExportController {
  constructor(private readonly commands: CommandBus) {}

  @Get('export')
  @LiveSession()
  @RequireEntitlement('auditExport')
  @RequirePermission('tenant.audit.read')
  @Responds({
    summary: 'Export the audit log of the active tenant',
    description: 'The entries of the list, newest first. At most 100,000; the last line says if there are more.',
    failures: [PlatformFailures.notFound],
  })
  @CsvResponse('tenant')
  exportTenantAuditLog(@CurrentTenantActor() actor: TenantActor) {
    return this.commands.execute(new ExportTenantAuditLog(actor));
  }
}
