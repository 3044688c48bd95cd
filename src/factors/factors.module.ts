import { Module } from '@nestjs/common';
import { moduleParts } from '../platform/module-parts';
import { UsersModule } from '../users/users.module';

/** Second factors: authenticator apps and recovery codes. */
@Module({ imports: [UsersModule], ...moduleParts(__dirname) })
export class FactorsModule {}
