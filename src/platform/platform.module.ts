import { MailerModule } from '@nestjs-modules/mailer';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { ScheduleModule } from '@nestjs/schedule';
import { SETTINGS, type Settings } from '../config/settings';
import { AddressPolicy } from './outbound/address-policy';
import { Clock } from './clock';
import { DatabaseChannels, ListenTiming } from './database/listen-notify';
import { Database, ENTITIES } from './database/database';
import { EntityReader } from './database/entity-reader';
import type { EntityClass } from './database/database-options';
import { DomainEvents } from './domain-events';
import { ErasureSteps } from './erasure-steps';
import { BatchedPurge } from './jobs/batched-purge';
import { JobCounts } from './jobs/job-counts';
import { JobMetrics } from './jobs/job-metrics';
import { JobWorker } from './jobs/job-worker';
import { Jobs } from './jobs/jobs';
import { LateReleases } from './late-releases';
import { Log } from './observability/log';
import { Mailer } from './mail/mailer';
import { MailRenderer } from './mail/mail-renderer';
import { MailRateLimits } from './mail/mail-rate-limits';
import { MailMetrics } from './mail/mail-metrics';
import { Metrics } from './observability/metrics';
import { HostResolver } from './outbound/host-resolver';
import { OutboundClient } from './outbound/outbound-client';
import { PurgeMailRecordsHandler } from './mail/purge-mail-records';
import { IdempotencyClaims } from './idempotency/idempotency-claims';
import { PurgeIdempotencyKeysHandler } from './idempotency/purge-idempotency-keys';
import { PersonalData } from './personal-data';
import { Redis } from './redis';
import { RowCounts } from './database/row-counts';
import { SecurityPosture } from './observability/security-posture.service';
import { SigningKeys } from './signing-keys';
import { Scheduler } from './jobs/scheduler';
import { UnitOfWork } from './database/unit-of-work';
import { Vault } from './vault';
import { VaultMetrics } from './vault-metrics';

/**
 * In milliseconds. A mail server that accepts a connection and then hangs must not block the
 * worker.
 */
const MAIL_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** What every module uses: database, jobs, email, logs, metrics. Imports no module. */
@Global()
@Module({ providers: [PurgeIdempotencyKeysHandler, PurgeMailRecordsHandler] })
export class PlatformModule {
  static for(settings: Settings, entities: readonly EntityClass[], log: Log): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        DiscoveryModule,
        CqrsModule.forRoot(),
        ScheduleModule.forRoot({ cronJobs: settings.worker !== 'off' }),
        MailerModule.forRoot({ transport: withTimeouts(settings.mail.smtpUrl) }),
      ],
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: ENTITIES, useValue: entities },
        { provide: Log, useValue: log },
        {
          provide: SigningKeys,
          useFactory: () => new SigningKeys(settings.keys.privateKey, settings.keys.retiredKeys),
        },
        { provide: Vault, useFactory: () => new Vault(settings.keys.ring) },
        { provide: Redis, useFactory: () => Redis.open(settings, log) },
        AddressPolicy,
        BatchedPurge,
        Clock,
        Database,
        DatabaseChannels,
        DomainEvents,
        EntityReader,
        ErasureSteps,
        IdempotencyClaims,
        HostResolver,
        JobCounts,
        JobMetrics,
        Jobs,
        JobWorker,
        LateReleases,
        ListenTiming,
        Mailer,
        MailRateLimits,
        MailRenderer,
        MailMetrics,
        Metrics,
        OutboundClient,
        PersonalData,
        RowCounts,
        SecurityPosture,
        Scheduler,
        UnitOfWork,
        VaultMetrics,
      ],
      exports: [
        SETTINGS,
        Log,
        SigningKeys,
        Vault,
        AddressPolicy,
        BatchedPurge,
        Clock,
        CqrsModule,
        Database,
        DatabaseChannels,
        DomainEvents,
        EntityReader,
        ErasureSteps,
        IdempotencyClaims,
        Jobs,
        JobWorker,
        LateReleases,
        Mailer,
        MailRateLimits,
        Metrics,
        OutboundClient,
        PersonalData,
        Redis,
        RowCounts,
        SecurityPosture,
        UnitOfWork,
      ],
    };
  }
}

/**
 * Adds timeouts to the SMTP URL, because nodemailer ignores other options when it is given a URL.
 * Existing parameters of the URL win.
 */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const [name, milliseconds] of Object.entries(MAIL_TIMEOUTS)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(milliseconds));
  }
  return url.toString();
}
