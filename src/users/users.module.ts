import { Module } from '@nestjs/common';
import { Admins } from './admins';
import { RenameUserHandler } from './commands/rename-user';
import { UserRepository } from './data/user.repository';
import { PasswordHasher } from './domain/password-hasher';
import { UsersController } from './http/users.controller';

/** Identity: who a person is, and their password. */
@Module({
  controllers: [UsersController],
  providers: [Admins, UserRepository, PasswordHasher, RenameUserHandler],
  exports: [Admins, UserRepository, PasswordHasher],
})
export class UsersModule {}
