import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { SETTINGS, type Settings } from '../../config/settings';
import { DAY, addSeconds } from '../clock';
import { isLockTimeout } from '../database/database-errors';
import { handledCommands } from '../handled-commands';
import { Jobs, taskOf } from './jobs';
import { Log } from '../observability/log';
import { ok, type Result } from '../result';
import { scheduleOf } from './schedule.decorator';
import { UnitOfWork } from '../database/unit-of-work';

/** Seconds that claims are kept: far longer than clocks differ. */
const KEPT_SECONDS = 7 * DAY;

/**
 * One instance inserts the row. Others wait for its transaction and then find the row. Claims
 * before $3 are deleted.
 */
const CLAIM = `
  WITH forgotten AS (
    DELETE FROM schedule_ticks WHERE schedule = $1 AND tick < $3
  )
  INSERT INTO schedule_ticks (schedule, tick) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING tick`;

/**
 * Runs the commands marked @Schedule, once per tick over all instances, however long they take and
 * however much the instances' clocks differ (docs/contract.md, Scheduled work).
 */
@Injectable()
export class Scheduler implements OnApplicationBootstrap {
  constructor(
    private readonly registry: SchedulerRegistry,
    private readonly discovery: DiscoveryService,
    private readonly unitOfWork: UnitOfWork,
    private readonly commands: CommandBus,
    private readonly jobs: Jobs,
    private readonly log: Log,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Only processes that run jobs run schedules. */
  onApplicationBootstrap(): void {
    if (this.settings.worker === 'off') return;
    for (const command of handledCommands(this.discovery)) {
      const schedule = scheduleOf(command);
      const cron = typeof schedule?.cron === 'function' ? schedule.cron(this.settings) : schedule?.cron;
      if (!schedule || !cron) continue;
      const work = (tick: Date) => this.start(schedule.create(tick));
      const job: CronJob = new CronJob(cron, () => this.tick(schedule.name, job.nextDate().toJSDate(), work));
      this.registry.addCronJob(schedule.name, job); // the registry stops it with the service
      job.start();
    }
  }

  private async start(command: Command<Result<unknown, string>>): Promise<Result<unknown, string>> {
    return taskOf(command.constructor) ? ok(await this.jobs.enqueue(command)) : this.commands.execute(command);
  }

  /**
   * The time of the next tick is the same on all instances even if their clocks differ a little, so
   * it identifies the tick.
   */
  private async tick(name: string, tick: Date, work: (tick: Date) => Promise<Result<unknown, string>>): Promise<void> {
    let isClaimed = false;
    try {
      await this.unitOfWork.transaction(async () => {
        const claimed = await this.unitOfWork.query(CLAIM, [name, tick, addSeconds(tick, -KEPT_SECONDS)]);
        isClaimed = claimed.length > 0;
        return isClaimed ? work(tick) : ok();
      });
    } catch (error) {
      if (!isClaimed && isLockTimeout(error)) return; // another instance has claimed it and is still working
      this.log.error(
        { event: 'schedule.tick_failed', err: error, schedule: name },
        'A scheduled run could not be started; the next tick is unaffected',
      );
    }
  }
}
