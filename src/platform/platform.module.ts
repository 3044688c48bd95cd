import { MailerModule } from '@nestjs-modules/mailer';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { ScheduleModule } from '@nestjs/schedule';
import { SETTINGS, type Settings } from '../config/settings';
import { Clock } from './clock';
import { DatabaseChannels } from './database/listen-notify';
import { Database, ENTITIES } from './database/database';
import type { EntityClass } from './database/database-options';
import { DomainEvents } from './domain-events';
import { JobCounts } from './jobs/job-counts';
import { JobMetrics } from './jobs/job-metrics';
import { JobWorker } from './jobs/job-worker';
import { Jobs } from './jobs/jobs';
import { Log } from './observability/log';
import { Mailer } from './mail/mailer';
import { MailRateLimits } from './mail/mail-rate-limits';
import { MailMetrics } from './mail/mail-metrics';
import { Metrics } from './observability/metrics';
import { PlatformSchedule } from './platform.schedule';
import { PurgeMailRecordsHandler } from './mail/purge-mail-records';
import { Redis } from './redis';
import { SecurityPosture } from './observability/security-posture.service';
import { SigningKeys } from './signing-keys';
import { Scheduler } from './jobs/scheduler';
import { UnitOfWork } from './database/unit-of-work';

/**
 * In milliseconds: a mail server that takes a connection and says nothing must not hold the worker
 * up.
 */
const MAIL_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** What every module stands on, knowing none of them. */
@Global()
@Module({ providers: [PlatformSchedule, PurgeMailRecordsHandler] })
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
        Clock,
        Database,
        DatabaseChannels,
        DomainEvents,
        JobCounts,
        JobMetrics,
        Jobs,
        JobWorker,
        Mailer,
        MailRateLimits,
        MailMetrics,
        Metrics,
        Redis,
        SecurityPosture,
        Scheduler,
        UnitOfWork,
      ],
      exports: [
        SETTINGS,
        Log,
        SigningKeys,
        Clock,
        CqrsModule,
        Database,
        DatabaseChannels,
        DomainEvents,
        Jobs,
        JobWorker,
        Mailer,
        Metrics,
        Redis,
        SecurityPosture,
        Scheduler,
        UnitOfWork,
      ],
    };
  }
}

/**
 * nodemailer looks at nothing but the address where it is given one. What the address says itself
 * stays.
 */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl);
  for (const [name, milliseconds] of Object.entries(MAIL_TIMEOUTS)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(milliseconds));
  }
  return url.toString();
}
