import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { RequestHandler } from 'express';
import { LiveSessionGuard } from './auth/http/live-session.guard';
import { AttachSubscriptionGuard } from './billing/entitlements/http/attach-subscription.guard';
import { SETTINGS, type Settings } from './config/settings';
import { CallerGuard } from './http/access/access.guards';
import { AccessTokens } from './http/access/access-tokens';
import { HttpModule } from './http/http.module';
import { EnvelopeFilter, EnvelopeInterceptor } from './http/responses/envelope';
import { RateLimitStores } from './http/rate-limits/rate-limit-stores';
import { authenticate } from './http/access/authenticate.middleware';
import { parseJsonBody } from './http/requests/json-body.middleware';
import { BodyReader } from './http/requests/body-reader';
import { PublicRoutes } from './http/access/public-routes';
import { limitAuthRate, limitRate, limitRefusedSignatures } from './http/rate-limits/rate-limit.middleware';
import { RateLimitMetrics } from './http/rate-limits/rate-limit-metrics';
import { AccessLog } from './http/requests/access-log.middleware';
import { RevokedTokens } from './http/access/revoked-tokens';
import { readImageBody } from './http/requests/image-body.middleware';
import { readSignedBody } from './http/requests/signed-body.middleware';
import { ReadAfterInterceptor, trackWrites } from './http/requests/read-after';
import { HostCookies } from './http/access/host-cookies';
import { assignRequestId } from './http/requests/request-id.middleware';
import { allowFrontend, securityHeaders } from './http/responses/security-headers';
import { RequestValidation } from './http/validation/request-validation.pipe';
import { serveHealthOnly } from './http/health/health-only.middleware';
import { KeyAuthentication, LiveKeyGuard } from './keys/keys.api';
import { ENTITY_CLASSES } from './entities';
import { MODULES } from './modules';
import type { Log } from './platform/observability/log';
import { PlatformModule } from './platform/platform.module';

/** The prefix of every API path. */
export const API_PREFIX = 'api/v1';

/** The middleware that a request passes before its route, in order. */
export function middlewareBeforeRoutes(app: INestApplication): RequestHandler[] {
  const settings = app.get<Settings>(SETTINGS);
  const keys = app.get(KeyAuthentication, { strict: false });
  const [counters, refusals] = [app.get(RateLimitStores), app.get(RateLimitMetrics)];
  const bodies = app.get(BodyReader);
  const publicRoutes = new PublicRoutes(app, API_PREFIX);
  return [
    assignRequestId(app.get(HostCookies)),
    ...(settings.database.readUrl ? [trackWrites()] : []),
    app.get(AccessLog).observe,
    bodies.observe,
    securityHeaders(settings),
    allowFrontend(settings),
    ...(settings.worker === 'only' ? [serveHealthOnly] : []),
    authenticate(app.get(AccessTokens), app.get(RevokedTokens), (key) => keys.read(key)),
    limitRate(settings.rateLimitPerMinute, counters, publicRoutes, refusals),
    limitAuthRate(settings.authRateLimitPerMinute, counters, refusals),
    limitRefusedSignatures(counters, refusals),
    readSignedBody(bodies),
    readImageBody(bodies),
    parseJsonBody(bodies, publicRoutes),
  ];
}

/** The whole service: its modules, and the guards, pipes and filters of every route, in order. */
@Module({})
export class AppModule {
  static for(settings: Settings, log: Log): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.for(settings, ENTITY_CLASSES, log), HttpModule, ...MODULES],
      providers: [
        { provide: APP_GUARD, useClass: CallerGuard },
        { provide: APP_GUARD, useExisting: LiveSessionGuard },
        { provide: APP_GUARD, useExisting: LiveKeyGuard },
        { provide: APP_GUARD, useExisting: AttachSubscriptionGuard },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
        ...(settings.database.readUrl ? [{ provide: APP_INTERCEPTOR, useExisting: ReadAfterInterceptor }] : []),
        { provide: APP_PIPE, useClass: RequestValidation },
        { provide: APP_FILTER, useClass: EnvelopeFilter },
      ],
    };
  }
}
