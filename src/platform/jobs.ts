import { Injectable } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { newId } from './ids';
import { requestContext } from './request-context';
import type { Result } from './result';
import { UnitOfWork } from './unit-of-work';

const TASK = 'tenantry:task';

/** What is stored of a deferred command. Never put a secret into a command that is deferred: operators can read it. */
export interface JobPayload {
  readonly command: object;
  /** The id of the request that caused it, so that its log lines can be found together. */
  readonly requestId: string;
}

/** Marks a command that can be carried out later, under this task name. Its fields must survive JSON. */
export function Deferrable(task: string): ClassDecorator {
  return (command) => Reflect.defineMetadata(TASK, task, command);
}

/** The task name of a command class, or undefined when it is not deferrable. */
export function taskOf(command: object): string | undefined {
  return Reflect.getMetadata(TASK, command) as string | undefined;
}

/** Work that must happen later, kept in PostgreSQL: enqueued in the running transaction, it exists exactly when its cause does. */
@Injectable()
export class Jobs {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Has a deferrable command carried out soon after the running transaction commits; an Err or an exception is tried again with growing
   * pauses (about e^attempt seconds, 25 attempts).
   * @param key while a job with this key waits, another one replaces it
   */
  async later(command: Command<Result<unknown>>, key?: string): Promise<void> {
    const task = taskOf(command.constructor);
    if (!task) throw new Error(`${command.constructor.name} is not @Deferrable`);
    const payload: JobPayload = { command, requestId: requestContext()?.requestId ?? newId() };
    await this.unitOfWork.query('SELECT graphile_worker.add_job($1, payload => $2::json, job_key => $3)', [
      task,
      JSON.stringify(payload),
      key ?? null,
    ]);
  }
}
