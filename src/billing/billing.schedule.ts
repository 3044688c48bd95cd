import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Cron, SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { SETTINGS, type Settings } from '../config/settings';
import { Jobs } from '../platform/jobs';
import { Log } from '../platform/log';
import { BeginSync } from './commands/begin-sync';
import { PurgeWebhookEvents } from './commands/purge-webhook-events';
import { RemindOfTrialEnds } from './commands/remind-of-trial-ends';
import { ProcessorGateway } from './processor/processor-gateway';

const SYNC = 'sync-subscriptions';

/** What billing does by the clock. */
@Injectable()
export class BillingSchedule implements OnApplicationBootstrap {
  constructor(
    private readonly commands: CommandBus,
    private readonly gateway: ProcessorGateway,
    private readonly jobs: Jobs,
    private readonly registry: SchedulerRegistry,
    private readonly log: Log,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The expression is a setting, which a decorator could not know. */
  onApplicationBootstrap(): void {
    if (this.settings.worker === 'off' || !this.gateway.isSetUp) return;
    const job: CronJob = new CronJob(this.settings.processor.syncCron, () => this.tick(job));
    this.registry.addCronJob(SYNC, job); // the registry's own copy of the type may be of another version
    job.start();
  }

  /** Compares everything with the processor. @param slot names the run: of many instances that say the same, one begins it */
  async beginSync(slot: Date): Promise<void> {
    await this.commands.execute(new BeginSync(null, slot));
  }

  @Cron('23 * * * *')
  remindHourly(): Promise<void> {
    return this.jobs.later(new RemindOfTrialEnds(), 'remind-of-trial-ends');
  }

  @Cron('7 4 * * *')
  purgeDaily(): Promise<void> {
    return this.jobs.later(new PurgeWebhookEvents(), 'purge-webhook-events');
  }

  /** The next tick is the same moment for all instances, however their clocks differ by a little. */
  private tick(job: CronJob): void {
    this.beginSync(job.nextDate().toJSDate()).catch((error: unknown) =>
      this.log.error({ err: error }, 'the sync could not be begun; the next one is'),
    );
  }
}
