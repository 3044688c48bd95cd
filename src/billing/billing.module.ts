import { CacheModule } from '@nestjs/cache-manager';
import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { moduleParts } from '../platform/module-parts';
import { Redis } from '../platform/redis';
import { TenantsModule } from '../tenants/tenants.module';
import { UsersModule } from '../users/users.module';
import { AttachSubscriptionGuard } from './entitlements/http/attach-subscription.guard';
import { planCacheOptions } from './entitlements/services/plan-cache-store';

const parts = moduleParts(__dirname);

/**
 * Plans and subscriptions of tenants, kept in sync with Stripe. Global, so that routes of any
 * module can use `@RequirePlan`.
 */
@Global()
@Module({
  imports: [
    AuditModule,
    NotificationsModule,
    TenantsModule,
    UsersModule,
    CacheModule.registerAsync({ inject: [Redis], useFactory: planCacheOptions }),
  ],
  ...parts,
  exports: [...parts.exports, AttachSubscriptionGuard],
})
export class BillingModule {}
