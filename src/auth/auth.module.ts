import { Module, type FactoryProvider, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings';
import { FactorsModule } from '../factors/factors.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { moduleParts } from '../platform/module-parts';
import { TenantsModule } from '../tenants/tenants.module';
import type { Provider } from '../users/users.api';
import { UsersModule } from '../users/users.module';
import { LiveSessionGuard } from './http/live-session.guard';
import { GithubStrategy } from './providers/github.strategy';
import { GoogleStrategy } from './providers/google.strategy';
import { ProviderClient } from './providers/provider-client';
import { ProviderSignInState } from './providers/provider-sign-in-state';
import { AuthController } from './http/auth.controller';
import { SessionName } from './http/session-name.middleware';
import { MagicLinkController } from './http/magic-link.controller';
import { PasskeySignInController } from './http/passkey-sign-in.controller';
import { ProviderSignInController } from './http/provider-sign-in.controller';
import { SecondFactorController } from './http/second-factor.controller';
import { TenantSessionsController } from './http/tenant-sessions.controller';
import { RegistrationController } from './http/registration.controller';

const parts = moduleParts(__dirname);

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
  imports: [FactorsModule, NotificationsModule, TenantsModule, UsersModule],
  ...parts,
  providers: [...parts.providers, strategyOf('google', GoogleStrategy), strategyOf('github', GithubStrategy)],
  exports: [...parts.exports, LiveSessionGuard],
})
export class AuthModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(SessionName)
      .forRoutes(
        RegistrationController,
        AuthController,
        ProviderSignInController,
        MagicLinkController,
        SecondFactorController,
        PasskeySignInController,
        TenantSessionsController,
      );
  }
}
