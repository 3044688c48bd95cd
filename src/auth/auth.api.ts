/** What other modules may use of this one. */
export { AuthFailures } from './auth.failures';
export { DisableUser } from './commands/disable-user';
export { EnableUser } from './commands/enable-user';
export { EndUserSession } from './commands/end-user-session';
export { ImpersonateUser } from './commands/impersonate-user';
export { Session } from './domain/session';
export { ImpersonationView } from './http/views/token.views';
