/** What other modules may use of this one. */
export { AuthFailures } from './auth.failures';
export { DisableUser } from './commands/disable-user';
export { EnableUser } from './commands/enable-user';
export { EndUserSession } from './commands/end-user-session';
export { EndUserSessions } from './commands/end-user-sessions';
export { ImpersonateUser } from './commands/impersonate-user';
export { RemoveSignInPolicy } from './commands/remove-sign-in-policy';
export { SendUserLink } from './commands/send-user-link';
export { deviceKind } from './domain/device-kind';
export { LastSignIn } from './domain/last-sign-in';
export { Session } from './domain/session';
export { ImpersonationView } from './http/views/token.views';
export { AccountRecovery } from './services/account-recovery';
export { EarlierAddresses } from './services/earlier-addresses';
export { EmailCodes } from './services/email-codes';
export { SessionRevoker } from './services/session-revoker';
export { UnverifiedAccountDeletion } from './services/unverified-account-deletion';
