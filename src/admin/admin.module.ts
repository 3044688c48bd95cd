import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { UsersModule } from '../users/users.module';
import { DeleteJobHandler } from './commands/delete-job';
import { RetryJobHandler } from './commands/retry-job';
import { AdminJobsController } from './http/admin-jobs.controller';
import { AdminRecordsController } from './http/admin-records.controller';
import { AdminTenantsController } from './http/admin-tenants.controller';
import { AdminUsersController } from './http/admin-users.controller';
import { JobDesk } from './job-desk';
import { GetOverviewHandler } from './queries/get-overview';
import { GetTenantHandler } from './queries/get-tenant';
import { GetUserHandler } from './queries/get-user';
import { GetWebhookEventHandler } from './queries/get-webhook-event';
import { ListAllTenantsHandler } from './queries/list-all-tenants';
import { ListJobsHandler } from './queries/list-jobs';
import { ListTenantMembersHandler } from './queries/list-tenant-members';
import { ListUsersHandler } from './queries/list-users';
import { ListWebhookEventsHandler } from './queries/list-webhook-events';

/** What operators see and do; it stands on all the others. */
@Module({
  imports: [AuditModule, UsersModule],
  controllers: [AdminUsersController, AdminTenantsController, AdminRecordsController, AdminJobsController],
  providers: [
    JobDesk,
    DeleteJobHandler,
    GetOverviewHandler,
    GetTenantHandler,
    GetUserHandler,
    GetWebhookEventHandler,
    ListAllTenantsHandler,
    ListJobsHandler,
    ListTenantMembersHandler,
    ListUsersHandler,
    ListWebhookEventsHandler,
    RetryJobHandler,
  ],
})
export class AdminModule {}
