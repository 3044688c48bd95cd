import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { AuthSchedule } from './auth.schedule';
import { ChangePasswordHandler } from './commands/change-password';
import { EndOtherSessionsHandler } from './commands/end-other-sessions';
import { EndSessionHandler } from './commands/end-session';
import { LogInHandler } from './commands/log-in';
import { LogOutHandler } from './commands/log-out';
import { PurgeExpiredHandler } from './commands/purge-expired';
import { RefreshSessionHandler } from './commands/refresh-session';
import { RegisterUserHandler } from './commands/register-user';
import { RequestPasswordResetHandler } from './commands/request-password-reset';
import { ResendVerificationHandler } from './commands/resend-verification';
import { ResetPasswordHandler } from './commands/reset-password';
import { SendPasswordResetMailHandler } from './commands/send-password-reset-mail';
import { SendVerificationMailHandler } from './commands/send-verification-mail';
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
import { GetMeHandler } from './queries/get-me';
import { ListSessionsHandler } from './queries/list-sessions';

/** Ways in, sessions and their tokens. */
@Module({
  imports: [UsersModule],
  controllers: [AuthController, SessionsController, PasswordsController],
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
    RegisterUserHandler,
    RequestPasswordResetHandler,
    ResendVerificationHandler,
    ResetPasswordHandler,
    SendPasswordResetMailHandler,
    SendVerificationMailHandler,
    VerifyEmailHandler,
  ],
})
export class AuthModule {}
