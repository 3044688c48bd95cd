import { parseArgs } from 'node:util';
import type { Operation } from './operations';

/** An invalid command-line option. */
export class WrongOption extends Error {}

/** The options of a run. */
export interface FuzzOptions {
  readonly seed: number;
  /** Per operation and actor. */
  readonly requests: number;
  /** Only this operation. undefined: all operations. */
  readonly operation?: string;
}

/**
 * Reads the command line.
 * @param seed the default
 * @throws WrongOption, because a run that sends nothing or the wrong requests would find nothing
 */
export function optionsOf(args: readonly string[], seed: number): FuzzOptions {
  const { values } = parsed(args);
  return {
    seed: numberOf('seed', values.seed ?? String(seed), 0),
    requests: numberOf('requests', values.requests ?? '100', 1),
    operation: values.operation,
  };
}

/** The operations of a run. @throws WrongOption if there is no operation with this id */
export function chosen(operations: readonly Operation[], id?: string): readonly Operation[] {
  const found = operations.filter((operation) => id === undefined || operation.id === id);
  if (found.length === 0) throw new WrongOption(`The API document has no operation ${id}.`);
  return found;
}

function parsed(args: readonly string[]) {
  const options = { seed: { type: 'string' }, requests: { type: 'string' }, operation: { type: 'string' } } as const;
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw new WrongOption((error as Error).message);
  }
}

function numberOf(name: string, text: string, least: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && Number.isSafeInteger(number)) return number;
  throw new WrongOption(`--${name} must be an integer of at least ${least}, not "${text}".`);
}
