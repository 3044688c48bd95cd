import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CommandBus, type Command } from '@nestjs/cqrs';
import { COMMAND_HANDLER_METADATA } from '@nestjs/cqrs/dist/decorators/constants';
import type { Task, TaskList } from 'graphile-worker';
import { SETTINGS, type Settings } from '../config/settings';
import { JobCounts } from './job-counts';
import { JobMetrics } from './job-metrics';
import { JobRunner } from './job-runner';
import { taskOf, type JobPayload } from './jobs';
import { Log } from './log';
import { withRequestContext } from './request-context';
import type { Result } from './result';

const RESTART_MS = 1000;
/** Carries out deferred commands, unless WORKER=off. When the database goes away it starts anew until it is back. */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private runner?: JobRunner;
  private loop?: Promise<void>;
  private stopping = false;
  private wake?: () => void;

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

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.wake?.();
    await this.runner?.stop();
    await this.loop;
    await this.counts.end();
  }

  /** `off` by setting, else whether jobs are being worked right now. */
  get state(): 'off' | 'running' | 'starting' {
    if (this.settings.worker === 'off') return 'off';
    return this.runner ? 'running' : 'starting';
  }

  private async superviseUntilStopped(): Promise<void> {
    while (!this.stopping) {
      try {
        this.runner = await JobRunner.start(this.settings.database.url, this.tasks(), this.counts, this.log);
        if (this.stopping) await this.runner.stop(); // asked to stop while it was starting
        await this.runner.ended;
      } catch (error) {
        this.log.warn({ err: error }, 'the job worker lost the database; starting it again');
      }
      this.runner = undefined;
      if (!this.stopping) await this.pause();
    }
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

  /** Every command that has a handler here and is deferrable, by its task name. */
  private tasks(): TaskList {
    const tasks: TaskList = {};
    for (const { metatype } of this.discovery.getProviders()) {
      const command = metatype && (Reflect.getMetadata(COMMAND_HANDLER_METADATA, metatype) as Type | undefined);
      const task = command && taskOf(command);
      if (task) tasks[task] = this.taskFor(task, command);
    }
    return tasks;
  }

  private taskFor(task: string, command: Type): Task {
    return async (payload) => {
      const { command: fields, requestId } = payload as JobPayload;
      const revived = Object.assign(Object.create(command.prototype as object) as object, fields) as Command<Result<unknown>>;
      try {
        await withRequestContext({ requestId, ip: null, userAgent: null }, () => this.carryOut(revived));
        this.metrics.succeeded(task);
      } catch (error) {
        this.metrics.failed(task);
        throw error;
      }
    };
  }

  private async carryOut(command: Command<Result<unknown>>): Promise<void> {
    const result = await this.commands.execute(command);
    if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  }
}
