import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { BillingModule } from '../billing/billing.module';
import { FactorsModule } from '../factors/factors.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { moduleParts } from '../platform/module-parts';
import { TenantsModule } from '../tenants/tenants.module';
import { UsersModule } from '../users/users.module';

/** What users do with their own account as a whole: change its address, export it, delete it. */
@Module({
  imports: [UsersModule, FactorsModule, TenantsModule, NotificationsModule, AuditModule, BillingModule, AuthModule],
  ...moduleParts(__dirname),
})
export class AccountsModule {}
