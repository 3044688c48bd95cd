/** What other modules may use of this one. */
export { ApiKey } from './domain/api-key';
export { ServiceAccount } from './domain/service-account';
export { LiveKeyGuard } from './http/live-key.guard';
export { KeyAuthentication } from './services/key-authentication';
export { ApiKeyRevoked, ServiceAccountChanged } from './keys.events';
