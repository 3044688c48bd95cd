import { Module, type FactoryProvider, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings';
import { NotificationsModule } from '../notifications/notifications.module';
import { TenantsModule } from '../tenants/tenants.module';
import type { Provider } from '../users/users.api';
import { UsersModule } from '../users/users.module';
import { NotifyUserOnImpersonation } from './listeners/notify-user-on-impersonation';
import { EnqueueJobsOnAccountTakenOver } from './listeners/enqueue-jobs-on-account-taken-over';
import { RevokeTokensOnMemberRemoved } from './listeners/revoke-tokens-on-member-removed';
import { ChangePasswordHandler } from './commands/change-password';
import { CancelRegistrationHandler } from './commands/cancel-registration';
import { DisableUserHandler } from './commands/disable-user';
import { EnableUserHandler } from './commands/enable-user';
import { EndOtherSessionsHandler } from './commands/end-other-sessions';
import { EndSessionHandler } from './commands/end-session';
import { EndUserSessionHandler } from './commands/end-user-session';
import { ImpersonateUserHandler } from './commands/impersonate-user';
import { LogInHandler } from './commands/log-in';
import { LogOutHandler } from './commands/log-out';
import { RenameDefaultWorkspaceHandler } from './commands/rename-default-workspace';
import { PurgeUnverifiedHandler } from './commands/purge-unverified';
import { PurgeExpiredHandler } from './commands/purge-expired';
import { RefreshSessionHandler } from './commands/refresh-session';
import { RegisterInvitedUserHandler } from './commands/register-invited-user';
import { RegisterUserHandler } from './commands/register-user';
import { RequestEmailLinkHandler } from './commands/request-email-link';
import { ResendVerificationHandler } from './commands/resend-verification';
import { ResetPasswordHandler } from './commands/reset-password';
import { SendLinkMailHandler } from './commands/send-link-mail';
import { SendPasswordRemovedMailHandler } from './commands/send-password-removed-mail';
import { SecureAccountHandler } from './commands/secure-account';
import { SendSecurityMailHandler } from './commands/send-security-mail';
import { SetPasswordHandler } from './commands/set-password';
import { SignInByMagicLinkHandler } from './commands/sign-in-by-magic-link';
import { SignInByProviderHandler } from './commands/sign-in-by-provider';
import { SwitchTenantHandler } from './commands/switch-tenant';
import { UnlinkProviderHandler } from './commands/unlink-provider';
import { VerifyEmailHandler } from './commands/verify-email';
import { OneTimeTokenRepository } from './data/one-time-token.repository';
import { SessionRepository } from './data/session.repository';
import { SessionPurgeRepository } from './data/session-purge.repository';
import { UsedSignInStateRepository } from './data/used-sign-in-state.repository';
import { SessionRevocationRepository } from './data/session-revocation.repository';
import { AuthMetrics } from './services/auth-metrics';
import { KnownDevices } from './services/known-devices';
import { LiveSessionGuard } from './http/live-session.guard';
import { LoginLimits } from './services/login-limits';
import { PasswordVerifier } from './services/password-verifier';
import { UnverifiedAccountTakeover } from './services/unverified-account-takeover';
import { GithubStrategy } from './providers/github.strategy';
import { GoogleStrategy } from './providers/google.strategy';
import { ProviderClient } from './providers/provider-client';
import { ProviderSignInState } from './providers/provider-sign-in-state';
import { UnverifiedAccountDeletion } from './services/unverified-account-deletion';
import { SendSecurityMailOnAccountChanged } from './listeners/send-security-mail-on-account-changed';
import { SessionCheck } from './services/session-check';
import { SessionIssuer } from './services/session-issuer';
import { SessionRevoker } from './services/session-revoker';
import { OneTimeTokenMailer } from './services/one-time-token-mailer';
import { UnconfirmedTokenRotations } from './services/unconfirmed-token-rotations';
import { AuthController } from './http/auth.controller';
import { SessionName } from './http/session-name.middleware';
import { MagicLinkController } from './http/magic-link.controller';
import { ProviderSignInController } from './http/provider-sign-in.controller';
import { PasswordsController } from './http/passwords.controller';
import { RegistrationController } from './http/registration.controller';
import { SignInMethodsController } from './http/sign-in-methods.controller';
import { SessionCookie } from './http/session-cookie.interceptor';
import { SignedInMarkerCookie } from './http/signed-in-marker-cookie';
import { RegistrationCookie } from './http/registration-cookie.interceptor';
import { SessionsController } from './http/sessions.controller';
import { TenantSessionsController } from './http/tenant-sessions.controller';
import { FindLinkOwnerHandler } from './queries/find-link-owner';
import { GetMeHandler } from './queries/get-me';
import { ListSessionsHandler } from './queries/list-sessions';
import { ListSignInMethodsHandler } from './queries/list-sign-in-methods';
import { CheckResetLinkHandler } from './queries/check-reset-link';

/** Constructing a strategy registers it with passport, so it is constructed only if configured. */
function strategyOf(provider: Provider, Strategy: typeof GoogleStrategy | typeof GithubStrategy): FactoryProvider {
  return {
    provide: Strategy,
    inject: [SETTINGS, ProviderSignInState, ProviderClient],
    useFactory: (settings: Settings, signInState: ProviderSignInState, client: ProviderClient) => {
      const configured = settings.providers[provider];
      return configured ? new Strategy(configured, settings, signInState, client) : null;
    },
  };
}

/** Sign-in methods, sessions and their tokens. */
@Module({
  imports: [NotificationsModule, TenantsModule, UsersModule],
  controllers: [
    RegistrationController,
    AuthController,
    SessionsController,
    ProviderSignInController,
    MagicLinkController,
    PasswordsController,
    SignInMethodsController,
    TenantSessionsController,
  ],
  providers: [
    NotifyUserOnImpersonation,
    EnqueueJobsOnAccountTakenOver,
    RevokeTokensOnMemberRemoved,
    AuthMetrics,
    SessionName,
    KnownDevices,
    LiveSessionGuard,
    LoginLimits,
    UnverifiedAccountTakeover,
    OneTimeTokenRepository,
    PasswordVerifier,
    ProviderClient,
    SessionCookie,
    RegistrationCookie,
    SendSecurityMailOnAccountChanged,
    OneTimeTokenMailer,
    SessionCheck,
    SessionIssuer,
    SessionPurgeRepository,
    SessionRepository,
    SessionRevocationRepository,
    UsedSignInStateRepository,
    SessionRevoker,
    SignedInMarkerCookie,
    ProviderSignInState,
    UnconfirmedTokenRotations,
    strategyOf('google', GoogleStrategy),
    strategyOf('github', GithubStrategy),
    ChangePasswordHandler,
    DisableUserHandler,
    CancelRegistrationHandler,
    EnableUserHandler,
    EndOtherSessionsHandler,
    EndSessionHandler,
    EndUserSessionHandler,
    FindLinkOwnerHandler,
    GetMeHandler,
    ImpersonateUserHandler,
    ListSessionsHandler,
    ListSignInMethodsHandler,
    CheckResetLinkHandler,
    LogInHandler,
    LogOutHandler,
    RenameDefaultWorkspaceHandler,
    PurgeExpiredHandler,
    PurgeUnverifiedHandler,
    RefreshSessionHandler,
    RegisterInvitedUserHandler,
    RegisterUserHandler,
    RequestEmailLinkHandler,
    ResendVerificationHandler,
    ResetPasswordHandler,
    SendLinkMailHandler,
    SendPasswordRemovedMailHandler,
    SecureAccountHandler,
    SendSecurityMailHandler,
    SetPasswordHandler,
    SignInByMagicLinkHandler,
    SignInByProviderHandler,
    SwitchTenantHandler,
    UnlinkProviderHandler,
    UnverifiedAccountDeletion,
    VerifyEmailHandler,
  ],
  exports: [LiveSessionGuard],
})
export class AuthModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(SessionName)
      .forRoutes(RegistrationController, AuthController, ProviderSignInController, MagicLinkController);
  }
}
