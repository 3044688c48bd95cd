import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { RequestHandler } from 'express';
import { AdminModule } from './admin/admin.module';
import { AuditModule } from './audit/audit.module';
import { AuthModule } from './auth/auth.module';
import { LiveSessionGuard } from './auth/live-session.guard';
import { BillingModule } from './billing/billing.module';
import { SubscriptionGuard } from './billing/subscription.guard';
import { SETTINGS, type Settings } from './config/settings';
import { JwtGuard } from './edge/access';
import { AccessTokens } from './edge/access-tokens';
import { EdgeModule } from './edge/edge.module';
import { EnvelopeFilter, EnvelopeInterceptor } from './edge/envelope';
import { HitCounters } from './edge/hit-counter';
import { identify } from './edge/identify';
import { jsonBody } from './edge/json-body';
import { PublicRoutes } from './edge/public-routes';
import { limitAuthRate, limitRate } from './edge/rate-limit';
import { Refusals } from './edge/refusals';
import { RequestEnd } from './edge/request-end';
import { RevokedAccess } from './edge/revoked-access';
import { webhookBody } from './edge/webhook-body';
import { startRequest } from './edge/request-start';
import { allowFrontend, securityHeaders } from './edge/security-headers';
import { RequestValidation } from './edge/validation';
import { serveHealthOnly } from './edge/worker-only';
import { ENTITY_CLASSES } from './entities';
import type { Log } from './platform/log';
import { NotificationsModule } from './notifications/notifications.module';
import { PlatformModule } from './platform/platform.module';
import { ProjectsModule } from './projects/projects.module';
import { TenantsModule } from './tenants/tenants.module';
import { UsersModule } from './users/users.module';

/** The modules, from the ground up: each knows only those before it. */
export const MODULES = [
  UsersModule,
  TenantsModule,
  NotificationsModule,
  AuditModule,
  BillingModule,
  AuthModule,
  ProjectsModule,
  AdminModule,
];

/** What stands before every path of the API. */
export const API_PREFIX = 'api/v1';

/** The rooms that a request passes before its route, in order. */
export function roomsBeforeRoutes(app: INestApplication): RequestHandler[] {
  const settings = app.get<Settings>(SETTINGS);
  const [counters, refusals] = [app.get(HitCounters), app.get(Refusals)];
  return [
    startRequest(),
    app.get(RequestEnd).observe,
    securityHeaders(settings),
    allowFrontend(settings),
    ...(settings.worker === 'only' ? [serveHealthOnly] : []),
    identify(app.get(AccessTokens), app.get(RevokedAccess)),
    limitRate(settings.rateLimitPerMinute, counters, new PublicRoutes(app, API_PREFIX), refusals),
    limitAuthRate(settings.authRateLimitPerMinute, counters, refusals),
    webhookBody(),
    jsonBody(),
  ];
}

/** The whole service: its modules, and the rooms of a request around its route, in order. */
@Module({})
export class AppModule {
  static for(settings: Settings, log: Log): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.for(settings, ENTITY_CLASSES, log), EdgeModule, ...MODULES],
      providers: [
        { provide: APP_GUARD, useClass: JwtGuard },
        { provide: APP_GUARD, useExisting: LiveSessionGuard },
        { provide: APP_GUARD, useExisting: SubscriptionGuard },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
        { provide: APP_PIPE, useClass: RequestValidation },
        { provide: APP_FILTER, useClass: EnvelopeFilter },
      ],
    };
  }
}
