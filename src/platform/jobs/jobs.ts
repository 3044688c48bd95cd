import { Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { newId } from '../ids';
import type { JsonFields } from '../json-fields';
import type { JobKind } from './job-kinds';
import { MAX_JOB_ATTEMPTS } from './job-retry';
import { requestContext } from '../observability/request-context';
import type { Result } from '../result';
import { UnitOfWork } from '../database/unit-of-work';

const TASK = 'tenantry:task';

/** The fields of a command as a job stores them. */
export type StoredFields = Readonly<Record<string, unknown>>;

/** How the fields of a job have changed. */
interface JobHistory {
  /** The version of the current fields; 1 unless they have changed. */
  readonly version: number;
  /**
   * Converts fields of a version to those of the next one. Waiting jobs of a version without a
   * conversion are not run: operators see them as failed.
   */
  readonly upcast?: Readonly<Record<number, (fields: StoredFields) => StoredFields>>;
}

/** How a command class is declared as a job. */
export interface TaskMark extends JobHistory {
  readonly task: string;
  readonly kind: JobKind;
}

/** The stored payload of a job. Never put a secret into it: operators can read it. */
export interface JobPayload {
  readonly command: object;
  /** The id of the request that enqueued the job, so that log lines can be found together. */
  readonly requestId: string;
  /** The version of the command's fields; jobs stored without it have version 1. */
  readonly version?: number;
  /** Whether the job had a key, which it loses when another job replaces it. */
  readonly isKeyed?: true;
}

type CommandClass = abstract new (...parameters: never[]) => Command<unknown>;

/** A command class whose fields are JSON. */
type JobClass<C extends CommandClass> = C &
  (InstanceType<C> extends JsonFields<InstanceType<C>> ? unknown : 'the fields of a job must be JSON');

/**
 * Marks a command that can be enqueued, with its task name. Fields that are not JSON do not
 * compile.
 * @param kind what the job waits for: `mail` if it sends email, `processor` if it calls Stripe
 * @param history needed after a change of the fields, because waiting jobs have the earlier ones
 */
export function Job(task: string, kind: JobKind = 'database', history: JobHistory = { version: 1 }) {
  return <C extends CommandClass>(command: JobClass<C>): void =>
    Reflect.defineMetadata(TASK, { ...history, task, kind } satisfies TaskMark, command);
}

/** How a command class is declared as a job, or undefined when it is not one. */
export function taskOf(command: object): TaskMark | undefined {
  return Reflect.getOwnMetadata(TASK, command) as TaskMark | undefined;
}

/** A delay counts from now by PostgreSQL's clock, as the queue does. */
const addJob = (task: string, payload: string, key: string, pause: string) => `
  SELECT graphile_worker.add_job(${task}, payload => ${payload}, job_key => ${key}, job_key_mode => 'preserve_run_at',
    run_at => now() + make_interval(secs => ${pause}), max_attempts => ${MAX_JOB_ATTEMPTS})`;

const ADD_ONE = addJob('$1', '$2::json', '$3', '$4');

/** Enqueues several jobs with one statement. */
const ADD = `${addJob('task', 'payload', 'key', 'pause')}
    FROM json_to_recordset($1::json) AS job (task text, payload json, key text, pause double precision)`;

/** A new job with the key of a failed one would start its attempts from the beginning. */
const ADD_MISSING = `${ADD}
   WHERE NOT EXISTS (SELECT FROM graphile_worker._private_jobs j WHERE j.key = job.key)`;

const IN_PROGRESS =
  'SELECT FROM graphile_worker._private_jobs WHERE key = $1 AND (locked_at IS NOT NULL OR attempts = 0)';

/** A running job ends by itself: it finds no account. */
const REMOVE_NAMING = `
  DELETE FROM graphile_worker._private_jobs WHERE id IN (
    SELECT id FROM graphile_worker._private_jobs
     WHERE locked_at IS NULL AND task_id <> ALL (
             SELECT id FROM graphile_worker._private_tasks WHERE identifier = ANY($2::text[]))
       AND EXISTS (SELECT FROM unnest($1::text[]) AS name WHERE position(name IN payload::text) > 0)
       AND ($4::timestamptz IS NULL OR created_at <= $4)
     LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING 1`;

/**
 * Enqueues jobs in PostgreSQL, in the running transaction: a job exists exactly when its cause was
 * committed.
 */
@Injectable()
export class Jobs {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Enqueues a command, to run soon after the running transaction commits. After an Err or an
   * exception it is retried (see job-retry.ts).
   * @param key replaces a job with the same key that waits for its first attempt and keeps its
   * time, so that repeated calls cannot postpone it forever
   * @param pause seconds before it runs
   */
  enqueue(command: Command<Result<unknown, string>>, key?: string, pause = 0): Promise<void> {
    return this.enqueueAll([{ command, key, pause }]);
  }

  /** Enqueues several jobs with one statement. */
  async enqueueAll(jobs: readonly JobRequest[]): Promise<void> {
    if (jobs.length !== 1) return this.add(ADD, jobs);
    const { task, payload, key, pause } = rowOf(jobs[0]);
    await this.add(ADD_ONE, jobs, [task, JSON.stringify(payload), key, pause]);
  }

  /**
   * Enqueues the jobs whose key no job has, in whatever state: for work that is found again and
   * again until it is done. A job that fails keeps its attempts, and is dead in the end; then an
   * operator retries it.
   */
  enqueueMissing(jobs: readonly KeyedJobRequest[]): Promise<void> {
    return this.add(ADD_MISSING, jobs);
  }

  /**
   * Removes waiting and failed jobs with a field that is one of these texts: ids or addresses.
   * @param kept the tasks whose jobs stay
   * @param until when the jobs were enqueued at the latest; all if it is missing
   * @returns how many were removed, at most `limit`
   */
  async removeNaming(
    texts: readonly string[],
    kept: readonly CommandClass[],
    limit: number,
    until?: Date,
  ): Promise<number> {
    const tasks = kept.map((command) => taskOf(command)!.task);
    const fields = texts.map((text) => JSON.stringify(text));
    return (await this.unitOfWork.query(REMOVE_NAMING, [fields, tasks, limit, until])).length;
  }

  /** Whether a job with this key is running or waits for its first attempt. */
  async isInProgress(key: string): Promise<boolean> {
    return (await this.unitOfWork.query(IN_PROGRESS, [key])).length > 0;
  }

  private async add(
    sql: string,
    jobs: readonly JobRequest[],
    parameters: unknown[] = [JSON.stringify(jobs.map(rowOf))],
  ): Promise<void> {
    if (jobs.length > 0) await this.unitOfWork.write(sql, parameters);
  }
}

function rowOf({ command, key, pause = 0 }: JobRequest) {
  const { task, payload } = storedJob(command);
  return { task, payload: key === undefined ? payload : { ...payload, isKeyed: true }, key: key ?? null, pause };
}

/** The stored form of a job, for a statement that enqueues it together with its cause. */
export function storedJob(command: Command<Result<unknown, string>>): { task: string; payload: JobPayload } {
  const mark = taskOf(command.constructor);
  if (!mark) throw new Error(`${command.constructor.name} is not @Job`);
  const requestId = requestContext()?.requestId ?? newId();
  return { task: mark.task, payload: { command, requestId, version: mark.version } };
}

/** A command to enqueue. */
export interface JobRequest {
  readonly command: Command<Result<unknown, string>>;
  readonly key?: string;
  readonly pause?: number;
}

/** A command of which at most one job should exist. */
export type KeyedJobRequest = JobRequest & { readonly key: string };
