import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { moduleParts } from '../platform/module-parts';
import { TenantsModule } from '../tenants/tenants.module';
import { WebhooksModule } from '../webhooks/webhooks.module';

/** Audit streams: the audit log of a tenant, sent in order to its receivers. */
@Module({ imports: [AuditModule, NotificationsModule, TenantsModule, WebhooksModule], ...moduleParts(__dirname) })
export class AuditStreamsModule {}
