import { Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { newId } from '../ids';
import type { JobKind } from './job-kinds';
import { requestContext } from '../observability/request-context';
import type { Result } from '../result';
import { UnitOfWork } from '../database/unit-of-work';

const TASK = 'tenantry:task';

/** The task name and kind of a job. */
interface TaskMark {
  readonly task: string;
  readonly kind: JobKind;
}

/** The stored payload of a job. Never put a secret into it: operators can read it. */
export interface JobPayload {
  readonly command: object;
  /** The id of the request that enqueued the job, so that log lines can be found together. */
  readonly requestId: string;
}

/**
 * Marks a command that can be enqueued, with its task name. Its fields must be JSON.
 * @param kind what the job waits for: `mail` if it sends mail, `processor` if it calls Stripe
 */
export function Job(task: string, kind: JobKind = 'database'): ClassDecorator {
  return (command) => Reflect.defineMetadata(TASK, { task, kind } satisfies TaskMark, command);
}

/** The task name and kind of a command class, or undefined when it is not a job. */
export function taskOf(command: object): TaskMark | undefined {
  return Reflect.getMetadata(TASK, command) as TaskMark | undefined;
}

/**
 * Enqueues several jobs with one statement. A delay counts from now by PostgreSQL's clock, as the
 * queue does.
 */
const ADD = `
  SELECT graphile_worker.add_job(task, payload => payload, job_key => key, job_key_mode => 'preserve_run_at',
    run_at => now() + make_interval(secs => pause))
    FROM jsonb_to_recordset($1::jsonb) AS job (task text, payload json, key text, pause double precision)`;

const UNDER_WAY =
  'SELECT FROM graphile_worker._private_jobs WHERE key = $1 AND (locked_at IS NOT NULL OR attempts = 0)';

/**
 * Enqueues jobs in PostgreSQL, in the running transaction: a job exists exactly when its cause was
 * committed.
 */
@Injectable()
export class Jobs {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Enqueues a command, to run soon after the running transaction commits. After an Err or an
   * exception it is retried with growing delays (about e^attempt seconds, 25 attempts).
   * @param key replaces a job with the same key that waits for its first attempt and keeps its
   * time, so that repeated calls cannot postpone it forever
   * @param pause seconds before it runs
   */
  enqueue(command: Command<Result<unknown>>, key?: string, pause = 0): Promise<void> {
    return this.enqueueAll([{ command, key, pause }]);
  }

  /** Enqueues several jobs with one statement. */
  async enqueueAll(jobs: readonly JobRequest[]): Promise<void> {
    const rows = jobs.map(({ command, key = null, pause = 0 }) => ({ ...storedJob(command), key, pause }));
    if (rows.length > 0) await this.unitOfWork.query(ADD, [JSON.stringify(rows)]);
  }

  /** Whether a job with this key is running or waits for its first attempt. */
  async isUnderWay(key: string): Promise<boolean> {
    return (await this.unitOfWork.query(UNDER_WAY, [key])).length > 0;
  }
}

/** The stored form of a job, for a statement that enqueues it together with its cause. */
export function storedJob(command: Command<Result<unknown>>): { task: string; payload: JobPayload } {
  const mark = taskOf(command.constructor);
  if (!mark) throw new Error(`${command.constructor.name} is not @Job`);
  return { task: mark.task, payload: { command, requestId: requestContext()?.requestId ?? newId() } };
}

/** A command to enqueue. */
export interface JobRequest {
  readonly command: Command<Result<unknown>>;
  readonly key?: string;
  readonly pause?: number;
}
