import type { AnyClass } from '../any-class';
import { taskOf } from './jobs';

/** What TypeScript records for types that can be JSON. Unions and interfaces are Object. */
const JSON_TYPES: readonly unknown[] = [String, Number, Boolean, Object, Array, undefined];

/**
 * Jobs with one name, of which only one would ever run, and jobs with fields that are not JSON,
 * which would arrive as something else.
 */
export function jobMistakes(classes: readonly AnyClass[]): string[] {
  const jobs = classes.flatMap((command) => {
    const mark = taskOf(command);
    return mark ? [{ command, task: mark.task }] : [];
  });
  const repeated = [...new Set(jobs.map(({ task }) => task))].flatMap((task) => {
    const named = jobs.filter((job) => job.task === task).map(({ command }) => command.name);
    return named.length > 1 ? [`Several jobs are called '${task}': ${named.join(', ')}. Rename all but one.`] : [];
  });
  const unstorable = jobs.flatMap(({ command, task }) => {
    const types = (Reflect.getMetadata('design:paramtypes', command) ?? []) as { name: string }[];
    const wrong = types.filter((type) => !JSON_TYPES.includes(type)).map((type) => type.name);
    return wrong.length > 0
      ? [`${command.name}, the job '${task}', has fields that are not JSON: ${wrong.join(', ')}. Use text or numbers.`]
      : [];
  });
  return [...repeated, ...unstorable];
}
