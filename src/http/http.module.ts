import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { AccessRevocationRepository } from './access/access-revocation.repository';
import { AccessTokens } from './access/access-tokens';
import { RateLimitStores } from './rate-limits/rate-limit-stores';
import { ReadAfterInterceptor } from './requests/read-after';
import { IdempotencyKeyInterceptor } from './idempotency/idempotency-key.interceptor';
import { StoredAnswers } from './idempotency/stored-answers';
import { BodyReader } from './requests/body-reader';
import { ConnectionLimit } from './requests/connection-limit';
import { RequestDrain } from './requests/request-drain';
import { HealthController } from './health/health.controller';
import { MetricsController } from './health/metrics.controller';
import { Readiness } from './health/readiness';
import { RateLimitMetrics } from './rate-limits/rate-limit-metrics';
import { AccessLog } from './requests/access-log.middleware';
import { RevokedTokens } from './access/revoked-tokens';
import { CookieSigner } from './access/cookie-signer';
import { HostCookies } from './access/host-cookies';
import { ExportLimit } from './responses/export-limit';
import { ExportTiming } from './responses/export-timing';
import { ChangePasswordController } from './well-known/change-password.controller';
import { JwksController } from './well-known/jwks.controller';
import { SecurityTextController } from './well-known/security-text.controller';

/** What all HTTP routes share. */
@Global()
@Module({
  imports: [DiscoveryModule, JwtModule.register({})], // without keys: each use passes its own
  controllers: [HealthController, JwksController, ChangePasswordController, SecurityTextController, MetricsController],
  providers: [
    AccessRevocationRepository,
    AccessTokens,
    RateLimitStores,
    BodyReader,
    ConnectionLimit,
    RequestDrain,
    Readiness,
    RateLimitMetrics,
    AccessLog,
    ReadAfterInterceptor,
    RevokedTokens,
    CookieSigner,
    HostCookies,
    ExportLimit,
    ExportTiming,
    IdempotencyKeyInterceptor,
    StoredAnswers,
  ],
  exports: [
    AccessRevocationRepository,
    AccessTokens,
    RateLimitStores,
    JwtModule,
    RateLimitMetrics,
    AccessLog,
    ReadAfterInterceptor,
    RevokedTokens,
    CookieSigner,
    HostCookies,
    ConnectionLimit,
    ExportLimit,
    IdempotencyKeyInterceptor,
  ],
})
export class HttpModule {}
