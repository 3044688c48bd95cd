import { Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { newId } from '../ids';
import type { JobKind } from './job-kinds';
import { requestContext } from '../observability/request-context';
import type { Result } from '../result';
import { UnitOfWork } from '../database/unit-of-work';

const TASK = 'tenantry:task';

/** How a deferrable command is known to the queue. */
interface TaskMark {
  readonly task: string;
  readonly kind: JobKind;
}

/**
 * What is stored of a deferred command. Never put a secret into a command that is deferred:
 * operators can read it.
 */
export interface JobPayload {
  readonly command: object;
  /** The id of the request that caused it, so that its log lines can be found together. */
  readonly requestId: string;
}

/**
 * Marks a command that can be carried out later, under this task name. Its fields must survive
 * JSON.
 * @param kind what it waits for: one that sends mail, or calls the payment processor, must say so
 */
export function Job(task: string, kind: JobKind = 'database'): ClassDecorator {
  return (command) => Reflect.defineMetadata(TASK, { task, kind } satisfies TaskMark, command);
}

/** The task name and kind of a command class, or undefined when it is not deferrable. */
export function taskOf(command: object): TaskMark | undefined {
  return Reflect.getMetadata(TASK, command) as TaskMark | undefined;
}

/**
 * Several jobs with one statement. A pause counts from now, by PostgreSQL's clock, as the queue
 * does.
 */
const ADD = `
  SELECT graphile_worker.add_job(task, payload => payload, job_key => key, job_key_mode => 'preserve_run_at',
    run_at => now() + make_interval(secs => pause))
    FROM jsonb_to_recordset($1::jsonb) AS job (task text, payload json, key text, pause double precision)`;

const UNDER_WAY =
  'SELECT FROM graphile_worker._private_jobs WHERE key = $1 AND (locked_at IS NOT NULL OR attempts = 0)';

/**
 * Work that must happen later, kept in PostgreSQL: enqueued in the running transaction, it exists
 * exactly when its cause does.
 */
@Injectable()
export class Jobs {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Has a deferrable command carried out soon after the running transaction commits; an Err or an
   * exception is tried again with growing pauses (about e^attempt seconds, 25 attempts).
   * @param key while a job with this key waits for its first attempt, another one replaces it and
   * keeps its time: what comes again and again must not postpone it for ever
   * @param pause seconds before it is begun
   */
  enqueue(command: Command<Result<unknown>>, key?: string, pause = 0): Promise<void> {
    return this.enqueueAll([{ command, key, pause }]);
  }

  /** The same for several, with one statement. */
  async enqueueAll(jobs: readonly JobRequest[]): Promise<void> {
    const rows = jobs.map(({ command, key = null, pause = 0 }) => ({ ...storedJob(command), key, pause }));
    if (rows.length > 0) await this.unitOfWork.query(ADD, [JSON.stringify(rows)]);
  }

  /**
   * Whether a job with this key is being worked, or waits for its first attempt; not one that has
   * failed.
   */
  async isUnderWay(key: string): Promise<boolean> {
    return (await this.unitOfWork.query(UNDER_WAY, [key])).length > 0;
  }
}

/**
 * A deferrable command as the queue stores it, for a statement that enqueues it together with its
 * cause.
 */
export function storedJob(command: Command<Result<unknown>>): { task: string; payload: JobPayload } {
  const mark = taskOf(command.constructor);
  if (!mark) throw new Error(`${command.constructor.name} is not @Job`);
  return { task: mark.task, payload: { command, requestId: requestContext()?.requestId ?? newId() } };
}

/** A command that is to be carried out later, and how. */
export interface JobRequest {
  readonly command: Command<Result<unknown>>;
  readonly key?: string;
  readonly pause?: number;
}
