import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { moduleParts } from '../platform/module-parts';
import { TenantsModule } from '../tenants/tenants.module';

/** Service accounts, API keys and personal tokens: how programs act in a tenant. */
@Module({ imports: [AuthModule, TenantsModule], ...moduleParts(__dirname) })
export class KeysModule {}
