import { Module } from '@nestjs/common';
import { moduleParts } from '../platform/module-parts';
import { UsersModule } from '../users/users.module';

/** Factors of the sign-in besides the password: authenticator apps, recovery codes, passkeys. */
@Module({ imports: [UsersModule], ...moduleParts(__dirname) })
export class FactorsModule {}
