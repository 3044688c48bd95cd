/** What other modules may use of this one. */
export { LiveKeyGuard } from './http/live-key.guard';
export { KeyAuthentication } from './services/key-authentication';
