import { Module } from '@nestjs/common';
import { moduleParts } from '../platform/module-parts';

/** Accounts and their passwords. */
@Module(moduleParts(__dirname))
export class UsersModule {}
