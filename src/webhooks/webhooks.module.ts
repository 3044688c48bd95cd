import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module';
import { moduleParts } from '../platform/module-parts';
import { TenantsModule } from '../tenants/tenants.module';
import { UsersModule } from '../users/users.module';

/** Webhooks: public events of a tenant, sent to its receivers. */
@Module({ imports: [UsersModule, TenantsModule, NotificationsModule], ...moduleParts(__dirname) })
export class WebhooksModule {}
