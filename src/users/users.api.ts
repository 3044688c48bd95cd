/** What other modules may use of this one. */
export { AdminCheck } from './services/admin-check';
export { LinkedProviderRepository } from './data/linked-provider.repository';
export { RegistrationRepository } from './data/registration.repository';
export { UserRepository, type ProviderIdentity, type RecognisedUser } from './data/user.repository';
export { PROVIDER_NAMES, PROVIDERS, type Provider } from './domain/linked-provider';
export { PasswordHasher } from './domain/password-hasher';
export { checkNewPassword } from './domain/password-rules';
export { Registration } from './domain/registration';
export { isAdmin, User } from './domain/user';
export { NewPasswordField, OptionalNewPasswordField } from './http/new-password.decorators';
export { UserFailures } from './users.failures';
export { UserView } from './http/views/users.views';
