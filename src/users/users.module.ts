import { Module } from '@nestjs/common';
import { AdminCheck } from './services/admin-check';
import { UpdateProfileHandler } from './commands/update-profile';
import { LinkedProviderRepository } from './data/linked-provider.repository';
import { RegistrationRepository } from './data/registration.repository';
import { UserRepository } from './data/user.repository';
import { PasswordHasher } from './domain/password-hasher';
import { UsersController } from './http/users.controller';

/** Accounts and their passwords. */
@Module({
  controllers: [UsersController],
  providers: [
    AdminCheck,
    LinkedProviderRepository,
    RegistrationRepository,
    UserRepository,
    PasswordHasher,
    UpdateProfileHandler,
  ],
  exports: [AdminCheck, LinkedProviderRepository, RegistrationRepository, UserRepository, PasswordHasher],
})
export class UsersModule {}
