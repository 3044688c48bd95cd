import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { TenantsModule } from '../tenants/tenants.module';
import { UsersModule } from '../users/users.module';
import { AuthSchedule } from './auth.schedule';
import { ChangePasswordHandler } from './commands/change-password';
import { EndOtherSessionsHandler } from './commands/end-other-sessions';
import { EndSessionHandler } from './commands/end-session';
import { LogInHandler } from './commands/log-in';
import { LogOutHandler } from './commands/log-out';
import { PurgeExpiredHandler } from './commands/purge-expired';
import { RefreshSessionHandler } from './commands/refresh-session';
import { RegisterInvitedUserHandler } from './commands/register-invited-user';
import { RegisterUserHandler } from './commands/register-user';
import { RequestPasswordResetHandler } from './commands/request-password-reset';
import { ResendVerificationHandler } from './commands/resend-verification';
import { ResetPasswordHandler } from './commands/reset-password';
import { SendPasswordResetMailHandler } from './commands/send-password-reset-mail';
import { SendVerificationMailHandler } from './commands/send-verification-mail';
import { SwitchTenantHandler } from './commands/switch-tenant';
import { VerifyEmailHandler } from './commands/verify-email';
import { OneTimeTokenRepository } from './data/one-time-token.repository';
import { SessionRepository } from './data/session.repository';
import { LoginAttempts } from './login-attempts';
import { PasswordProof } from './password-proof';
import { SessionIssuer } from './session-issuer';
import { AuthController } from './http/auth.controller';
import { PasswordsController } from './http/passwords.controller';
import { RefreshCookie } from './http/refresh-cookie';
import { SessionsController } from './http/sessions.controller';
import { TenantSessionsController } from './http/tenant-sessions.controller';
import { GetMeHandler } from './queries/get-me';
import { ListSessionsHandler } from './queries/list-sessions';

/** Ways in, sessions and their tokens. */
@Module({
  imports: [AuditModule, TenantsModule, UsersModule],
  controllers: [AuthController, SessionsController, PasswordsController, TenantSessionsController],
  providers: [
    AuthSchedule,
    LoginAttempts,
    OneTimeTokenRepository,
    PasswordProof,
    RefreshCookie,
    SessionIssuer,
    SessionRepository,
    ChangePasswordHandler,
    EndOtherSessionsHandler,
    EndSessionHandler,
    GetMeHandler,
    ListSessionsHandler,
    LogInHandler,
    LogOutHandler,
    PurgeExpiredHandler,
    RefreshSessionHandler,
    RegisterInvitedUserHandler,
    RegisterUserHandler,
    RequestPasswordResetHandler,
    ResendVerificationHandler,
    ResetPasswordHandler,
    SendPasswordResetMailHandler,
    SendVerificationMailHandler,
    SwitchTenantHandler,
    VerifyEmailHandler,
  ],
})
export class AuthModule {}
