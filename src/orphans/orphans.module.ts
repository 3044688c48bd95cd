import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { moduleParts } from '../platform/module-parts';
import { TenantsModule } from '../tenants/tenants.module';
import { UsersModule } from '../users/users.module';

/** What members who left, or lost permissions, had made: taken over by others, or disabled. */
@Module({ imports: [AuthModule, TenantsModule, UsersModule], ...moduleParts(__dirname) })
export class OrphansModule {}
