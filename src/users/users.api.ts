/** What other modules may use of this one. */
export { HAS_PASSWORD } from './data/has-password';
export { LinkedProviderRepository } from './data/linked-provider.repository';
export { RegistrationRepository } from './data/registration.repository';
export { UserRepository, type ProviderMatch } from './data/user.repository';
export {
  LinkedProvider,
  PROVIDER_NAMES,
  PROVIDERS,
  type Provider,
  type ProviderIdentity,
} from './domain/linked-provider';
export { PasswordHasher } from './domain/password-hasher';
export { checkNewPassword } from './domain/password-rules';
export { Registration, REGISTRATION_LINK_SECONDS } from './domain/registration';
export { isAdmin, PROFILE_FIELDS, User } from './domain/user';
export { toUserProfile, type UserProfile } from './domain/user-profile';
export { NewPasswordField, OptionalNewPasswordField } from './http/new-password.decorators';
export { UserView } from './http/views/users.views';
export { AdminCheck } from './services/admin-check';
export { AccountEmailChanged } from './users.events';
export { UserFailures } from './users.failures';
