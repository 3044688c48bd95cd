import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { DeleteJobHandler } from './commands/delete-job';
import { DeleteJobsHandler } from './commands/delete-jobs';
import { FoldRowCountsHandler } from './commands/fold-row-counts';
import { PurgeDeadJobsHandler } from './commands/purge-dead-jobs';
import { PurgeJobCountsHandler } from './commands/purge-job-counts';
import { RecordViewHandler } from './commands/record-view';
import { RetryJobHandler } from './commands/retry-job';
import { RetryJobsHandler } from './commands/retry-jobs';
import { AdminJobsController } from './http/admin-jobs.controller';
import { AdminRecordsController } from './http/admin-records.controller';
import { AdminTenantsController } from './http/admin-tenants.controller';
import { AdminUsersController } from './http/admin-users.controller';
import { JobAdmin } from './services/job-admin';
import { RowCounts } from './services/row-counts';
import { GetJobHandler } from './queries/get-job';
import { GetJobRatesHandler } from './queries/get-job-rates';
import { GetOverviewHandler } from './queries/get-overview';
import { GetTenantHandler } from './queries/get-tenant';
import { GetTrendsHandler } from './queries/get-trends';
import { GetUserHandler } from './queries/get-user';
import { GetWebhookEventHandler } from './queries/get-webhook-event';
import { ListAllTenantsHandler } from './queries/list-all-tenants';
import { ListJobsHandler } from './queries/list-jobs';
import { ListNamesHandler } from './queries/list-names';
import { ListQueuesHandler } from './queries/list-queues';
import { ListTenantMembersHandler } from './queries/list-tenant-members';
import { ListUsersHandler } from './queries/list-users';
import { ListWebhookEventsHandler } from './queries/list-webhook-events';

/** The API for operators; it uses all other modules. */
@Module({
  imports: [UsersModule],
  controllers: [AdminUsersController, AdminTenantsController, AdminRecordsController, AdminJobsController],
  providers: [
    JobAdmin,
    RowCounts,
    DeleteJobHandler,
    DeleteJobsHandler,
    FoldRowCountsHandler,
    GetJobHandler,
    GetJobRatesHandler,
    GetOverviewHandler,
    GetTenantHandler,
    GetTrendsHandler,
    GetUserHandler,
    GetWebhookEventHandler,
    ListAllTenantsHandler,
    ListJobsHandler,
    ListNamesHandler,
    ListQueuesHandler,
    ListTenantMembersHandler,
    ListUsersHandler,
    ListWebhookEventsHandler,
    PurgeDeadJobsHandler,
    PurgeJobCountsHandler,
    RecordViewHandler,
    RetryJobHandler,
    RetryJobsHandler,
  ],
})
export class AdminModule {}
