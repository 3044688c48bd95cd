import { existsSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Environment } from './environment';

/** Thrown at start with all problems of the settings at once. */
export class InvalidSettings extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'InvalidSettings';
  }
}

/**
 * The environment variables of this process, then those of an `.env` file in the working directory.
 * The only reader of process.env.
 * @param nodeEnv NODE_ENV if the process has none, whatever the file says
 */
export function processEnvironment(nodeEnv?: 'production'): NodeJS.ProcessEnv {
  if (nodeEnv) process.env.NODE_ENV ||= nodeEnv;
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** The variables with their defaults. An empty variable counts as not set. */
export function environmentOf(variables: NodeJS.ProcessEnv): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  return plainToInstance(Environment, given, { exposeDefaultValues: true });
}

/**
 * Problems of single variables.
 * @param only checks just these, if any are given
 */
export function wrongIn(env: Environment, ...only: (keyof Environment)[]): string[] {
  return validateSync(env)
    .filter(({ property }) => only.length === 0 || (only as string[]).includes(property))
    .map(({ property, value, constraints }) =>
      value === undefined ? `${property} is required` : Object.values(constraints ?? {}).join(', '),
    );
}
