import type { Command } from '@nestjs/cqrs';
import type { Settings } from '../../config/settings';
import type { Result } from '../result';
import { taskOf } from './jobs';

const SCHEDULE = 'tenantry:schedule';

/** A cron expression in the process's time zone, or the setting with it; undefined: never. */
type Cron = string | ((settings: Settings) => string | undefined);

type ScheduledCommand = Command<Result<unknown, string>>;

interface Naming {
  /**
   * Identifies the schedule's ticks in the database: two releases must agree on it. Needed for a
   * command that is not a job; a job's schedule has the name of the job.
   */
  readonly name?: string;
}

/** The schedule of a command class. */
export interface ScheduleMark extends Naming {
  readonly cron: Cron;
  /** The command of a tick. */
  readonly create: (tick: Date) => ScheduledCommand;
}

/**
 * Runs a command at each tick of a schedule, once over all instances (docs/contract.md, Scheduled
 * work). A command that is a job is enqueued in the transaction of the tick; another one runs in
 * that transaction.
 * @param options `create` makes the command of a tick; without it the command has no fields
 */
export function Schedule(
  cron: Cron,
  options: Naming & { readonly create: (tick: Date) => ScheduledCommand },
): (command: abstract new (...parameters: never[]) => ScheduledCommand) => void;
export function Schedule(cron: Cron, options?: Naming): (command: new () => ScheduledCommand) => void;
export function Schedule(cron: Cron, options: Partial<ScheduleMark> = {}) {
  return (command: new () => ScheduledCommand): void =>
    Reflect.defineMetadata(SCHEDULE, { cron, create: () => new command(), ...options } satisfies ScheduleMark, command);
}

/** The schedule of a command class, or undefined when it has none. */
export function scheduleOf(command: object): (ScheduleMark & { readonly name: string }) | undefined {
  const mark = Reflect.getOwnMetadata(SCHEDULE, command) as ScheduleMark | undefined;
  return mark && { ...mark, name: mark.name ?? taskOf(command)?.task ?? '' };
}
