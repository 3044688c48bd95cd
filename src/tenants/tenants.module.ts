import { Module } from '@nestjs/common';
import { moduleParts } from '../platform/module-parts';
import { UsersModule } from '../users/users.module';

/** Tenants with their members, roles and invitations. */
@Module({ imports: [UsersModule], ...moduleParts(__dirname) })
export class TenantsModule {}
