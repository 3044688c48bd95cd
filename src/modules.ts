import { AccountsModule } from './accounts/accounts.module';
import { AdminModule } from './admin/admin.module';
import { AuditStreamsModule } from './audit-streams/audit-streams.module';
import { AuditModule } from './audit/audit.module';
import { AuthModule } from './auth/auth.module';
import { BillingModule } from './billing/billing.module';
import { FactorsModule } from './factors/factors.module';
import { KeysModule } from './keys/keys.module';
import { NotificationsModule } from './notifications/notifications.module';
import { OrphansModule } from './orphans/orphans.module';
import { ProjectsModule } from './projects/projects.module';
import { TenantsModule } from './tenants/tenants.module';
import { UsersModule } from './users/users.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/**
 * The modules in the order of their dependencies: each uses only those before it. The borders of
 * `npm run borders` follow from this list.
 */
export const MODULES = [
  UsersModule,
  FactorsModule,
  TenantsModule,
  NotificationsModule,
  AuditModule,
  WebhooksModule,
  BillingModule,
  AuditStreamsModule,
  AuthModule,
  KeysModule,
  OrphansModule,
  ProjectsModule,
  AccountsModule,
  AdminModule,
];
