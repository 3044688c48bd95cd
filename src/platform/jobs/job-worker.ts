import { Inject, Injectable, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import type { Task, TaskList } from 'graphile-worker';
import { SETTINGS, type Settings } from '../../config/settings';
import { handledCommands } from '../handled-commands';
import { JobCounts } from './job-counts';
import type { JobKind } from './job-kinds';
import { JobMetrics } from './job-metrics';
import { preventRetry, throwToRetry } from './job-retry';
import { restoreCommand, UnsupportedVersion } from './job-versions';
import { taskOf, type JobPayload, type TaskMark } from './jobs';
import { WorkerLifetime, type TasksByKind } from './worker-lifetime';
import { Log } from '../observability/log';
import { withRequestContext } from '../observability/request-context';

/** Whether this process runs jobs. */
export type WorkerState = 'off' | 'starting' | 'running' | 'stalled';

const RESTART_MS = 1000;

/**
 * Runs jobs, unless WORKER=off. When the database goes away or the worker stalls, a new one
 * replaces it and takes over its jobs.
 */
@Injectable()
export class JobWorker implements OnApplicationBootstrap {
  private lifetime?: WorkerLifetime;
  private loop?: Promise<void>;
  private stopping = false;
  private wake?: () => void;
  /** Names of earlier runners that may still lock jobs. */
  private deadWorkers: string[] = [];

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly commands: CommandBus,
    private readonly discovery: DiscoveryService,
    private readonly metrics: JobMetrics,
    private readonly counts: JobCounts,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.worker === 'off') return;
    this.counts.begin();
    this.loop = this.superviseUntilStopped();
  }

  /**
   * Starts no more jobs; running jobs may finish.
   * @param patienceMs milliseconds that they get
   * @returns whether all have finished
   */
  async stop(patienceMs: number): Promise<boolean> {
    this.stopping = true;
    this.wake?.();
    const finished = (await this.lifetime?.stop(patienceMs)) ?? true;
    await this.loop;
    await this.counts.end();
    return finished;
  }

  /** `off` by setting, `starting` before one has started, `stalled` when due jobs are not run. */
  get state(): WorkerState {
    if (this.settings.worker === 'off') return 'off';
    if (!this.lifetime) return 'starting';
    return this.lifetime.isStalled ? 'stalled' : 'running';
  }

  private async superviseUntilStopped(): Promise<void> {
    const tasks = this.tasks();
    while (!this.stopping) {
      try {
        this.lifetime = await WorkerLifetime.start(
          this.settings.database.directUrl,
          tasks,
          this.deadWorkers,
          this.counts,
          this.log,
        );
        this.deadWorkers = this.lifetime.names;
        if (this.stopping) await this.lifetime.stop(); // asked to stop while starting
        await this.lifetime.ended;
        if (!this.stopping) this.replaced();
      } catch (error) {
        this.log.warn({ event: 'worker.start_failed', err: error }, 'The job worker cannot start; retrying');
      }
      this.lifetime = undefined;
      if (!this.stopping) await this.pause();
    }
  }

  private replaced(): void {
    this.metrics.replaced();
    this.log.warn({ event: 'worker.ended' }, 'The job worker ended; starting another one');
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, RESTART_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Every job that has a handler here, by kind and task name. */
  private tasks(): TasksByKind {
    const tasks: Record<JobKind, TaskList> = { mail: {}, processor: {}, database: {} };
    for (const command of handledCommands(this.discovery)) {
      const mark = taskOf(command);
      if (mark) tasks[mark.kind][mark.task] = this.taskFor(mark, command);
    }
    return tasks;
  }

  private taskFor(mark: TaskMark, command: Type): Task {
    return async (stored, helpers) => {
      const payload = stored as JobPayload;
      const context = { requestId: payload.requestId, ip: null, userAgent: null };
      try {
        const restored = restoreCommand(payload, mark, command.prototype as object);
        throwToRetry(await withRequestContext(context, () => this.commands.execute(restored)));
        this.metrics.succeeded(mark.task);
      } catch (error) {
        this.metrics.failed(mark.task);
        if (error instanceof UnsupportedVersion && error.isFinal) await preventRetry(helpers, error);
        throw error;
      }
    };
  }
}
