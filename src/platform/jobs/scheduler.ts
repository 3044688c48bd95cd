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
 * What is done at a tick, in the transaction that claims it.
 * @param tick the moment that names it, the same on all instances
 */
type Work = (tick: Date) => Promise<Result<unknown>>;

/** How long it is known that a tick was claimed: far longer than clocks differ. */
const KEPT_SECONDS = 7 * DAY;

/**
 * Of all instances one inserts the row; the others wait until its transaction has ended, and then
 * find it.
 */
const CLAIM = `
  INSERT INTO schedule_ticks (schedule, tick) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING tick`;

const FORGET = `
  DELETE FROM schedule_ticks WHERE schedule = $1 AND tick < $2`;

/**
 * What is done by the clock, once over all instances a tick, however long it takes and however much
 * their clocks differ (contract section 11, Statements). Modules add to it when they are made.
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
   * Has a deferrable command carried out at each tick.
   * @param expression of cron, in the process's time zone
   */
  job(name: string, expression: string, command: () => Command<Result<unknown>>): void {
    this.add(name, expression, async () => ok(await this.jobs.enqueue(command())));
  }

  /** Has something done at each tick that is more than one job. */
  add(name: string, expression: string, work: Work): void {
    if (this.entries.has(name)) throw new Error(`Two schedules are called ${name}.`);
    this.entries.set(name, { expression, work });
  }

  /** Only who works jobs looks at the clock. */
  onApplicationBootstrap(): void {
    if (this.settings.worker === 'off') return;
    for (const [name, { expression, work }] of this.entries) {
      const job: CronJob = new CronJob(expression, () => this.tick(name, job.nextDate().toJSDate(), work));
      this.registry.addCronJob(name, job); // the registry ends it when the service stops
      job.start();
    }
  }

  /**
   * The next tick is the same moment for all instances, however their clocks differ by a little: it
   * names this one.
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
      if (!isClaimed && isLockTimeout(error)) return; // another instance has claimed it, and takes its time
      this.log.error(
        { err: error, schedule: name },
        'what was due by the clock could not be begun; it is at the next tick',
      );
    }
  }
}
