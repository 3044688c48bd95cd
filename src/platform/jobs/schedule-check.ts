import { validateCronExpression } from 'cron';
import type { AnyClass } from '../any-class';
import { scheduleOf } from './schedule.decorator';

/** Schedules without a name of their own, and expressions that the library cannot read. */
export function scheduleMistakes(classes: readonly AnyClass[]): string[] {
  const schedules = classes.flatMap((command) => {
    const schedule = scheduleOf(command);
    return schedule ? [{ ...schedule, command: command.name }] : [];
  });
  return schedules.flatMap(({ name, cron, command }, index) => [
    ...(name ? [] : [`The schedule of ${command} has no name. Give it one: @Schedule(…, { name: '…' }).`]),
    ...(name && schedules.findIndex((other) => other.name === name) < index
      ? [`Several schedules are called '${name}'. Rename the one of ${command}.`]
      : []),
    ...(typeof cron === 'string' && !validateCronExpression(cron).valid
      ? [`The schedule of ${command} is no cron expression: '${cron}'.`]
      : []),
  ]);
}
