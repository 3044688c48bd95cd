import { parseArgs } from 'node:util';
import type { Operation } from './operations';

/** What is asked for cannot be done; the message says why. */
export class WrongOption extends Error {}

/** What a run is asked to do. */
export interface FuzzOptions {
  readonly seed: number;
  /** Per operation and actor. */
  readonly requests: number;
  /** Only this operation; all where it is undefined. */
  readonly operation?: string;
}

/**
 * Reads the command line.
 * @param seed where none is named
 * @throws WrongOption: a run that sends nothing, or something else than was meant, would find
 * nothing
 */
export function optionsOf(args: readonly string[], seed: number): FuzzOptions {
  const { values } = parsed(args);
  return {
    seed: numberOf('seed', values.seed ?? String(seed), 0),
    requests: numberOf('requests', values.requests ?? '100', 1),
    operation: values.operation,
  };
}

/** The operations that a run is about. @throws WrongOption when there is none of this name */
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
  throw new WrongOption(`--${name} must be a whole number from ${least} on, not "${text}".`);
}
