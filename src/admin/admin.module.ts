import { Module } from '@nestjs/common';
import { moduleParts } from '../platform/module-parts';
import { UsersModule } from '../users/users.module';

/** The API for operators; it uses all other modules. */
@Module({ imports: [UsersModule], ...moduleParts(__dirname) })
export class AdminModule {}
