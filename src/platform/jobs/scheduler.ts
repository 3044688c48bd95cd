import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { SETTINGS, type Settings } from '../../config/settings';
import { DAY, addSeconds } from '../clock';
import { isLockTimeout } from '../database/database-errors';
import { Jobs } from './jobs';
import { Log } from '../observability/log';
import { ok, type Result } from '../result';
import { UnitOfWork } from '../database/unit-of-work';

/**
 * The work of a tick, in the transaction that claims it.
 * @param tick the time of the tick, the same on all instances
 */
type Work = (tick: Date) => Promise<Result<unknown>>;

/** Seconds that claims are kept: far longer than clocks differ. */
const KEPT_SECONDS = 7 * DAY;

/** One instance inserts the row. Others wait for its transaction and then find the row. */
const CLAIM = `
  INSERT INTO schedule_ticks (schedule, tick) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING tick`;

const FORGET = `
  DELETE FROM schedule_ticks WHERE schedule = $1 AND tick < $2`;

/**
 * Runs work on a schedule, once per tick over all instances, however long it takes and however much
 * their clocks differ (docs/contract.md, Scheduled work). Modules add their schedules when they are
 * created.
 */
@Injectable()
export class Scheduler implements OnApplicationBootstrap {
  private readonly entries = new Map<string, { readonly expression: string; readonly work: Work }>();

  constructor(
    private readonly registry: SchedulerRegistry,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly log: Log,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Enqueues a job at each tick.
   * @param expression a cron expression, in the process's time zone
   */
  job(name: string, expression: string, command: () => Command<Result<unknown>>): void {
    this.add(name, expression, async () => ok(await this.jobs.enqueue(command())));
  }

  /** Runs work at each tick that is more than one job. */
  add(name: string, expression: string, work: Work): void {
    if (this.entries.has(name)) throw new Error(`Two schedules are called ${name}.`);
    this.entries.set(name, { expression, work });
  }

  /** Only processes that work jobs run schedules. */
  onApplicationBootstrap(): void {
    if (this.settings.worker === 'off') return;
    for (const [name, { expression, work }] of this.entries) {
      const job: CronJob = new CronJob(expression, () => this.tick(name, job.nextDate().toJSDate(), work));
      this.registry.addCronJob(name, job); // the registry stops it with the service
      job.start();
    }
  }

  /**
   * The time of the next tick is the same on all instances even if their clocks differ a little, so
   * it identifies the tick.
   */
  private async tick(name: string, tick: Date, work: Work): Promise<void> {
    let isClaimed = false;
    try {
      await this.unitOfWork.transaction(async () => {
        isClaimed = (await this.unitOfWork.query(CLAIM, [name, tick])).length > 0;
        if (!isClaimed) return ok();
        await this.unitOfWork.query(FORGET, [name, addSeconds(tick, -KEPT_SECONDS)]);
        return work(tick);
      });
    } catch (error) {
      if (!isClaimed && isLockTimeout(error)) return; // another instance has claimed it and is still working
      this.log.error(
        { event: 'schedule.tick_failed', err: error, schedule: name },
        'A scheduled run could not be started. The next tick is unaffected.',
      );
    }
  }
}
