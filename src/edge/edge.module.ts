import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { AccessTokens } from './access-tokens';
import { HitCounters } from './hit-counter';
import { Lifecycle } from './lifecycle';
import { OperationsController } from './operations.controller';
import { Readiness } from './readiness';
import { Refusals } from './refusals';
import { RequestEnd } from './request-end';
import { RevokedAccess } from './revoked-access';
import { SignedCookies } from './signed-cookies';

/** What every HTTP route shares. */
@Global()
@Module({
  imports: [DiscoveryModule, JwtModule.register({})], // without keys: who signs or verifies brings theirs
  controllers: [OperationsController],
  providers: [AccessTokens, HitCounters, Lifecycle, Readiness, Refusals, RequestEnd, RevokedAccess, SignedCookies],
  exports: [AccessTokens, HitCounters, JwtModule, Refusals, RequestEnd, RevokedAccess, SignedCookies],
})
export class EdgeModule {}
