import { spawn } from 'node:child_process';

/** How a program has ended. */
export interface Outcome {
  readonly isOk: boolean;
  /** What it has printed. */
  readonly output: string;
  /** What it has printed, also as errors. */
  readonly text: string;
}

/** A part of a check. */
export interface Step {
  readonly name: string;
  readonly work: () => Promise<Outcome>;
}

/** Runs a program of Node. */
export function run(args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, text] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()));
  return new Promise((resolve, reject) =>
    child.once('error', reject).once('close', (code) => resolve({ isOk: code === 0, output, text })),
  );
}

/** A step that runs one program of a package. */
export const program = (name: string, command: string): Step => ({
  name,
  work: () => run(command.split(' ').map((part, index) => (index === 0 ? `node_modules/${part}` : part))),
});

/**
 * Runs all steps at once. Prints the seconds of each, and the output of those that fail. If one
 * fails, the exit code is 1.
 */
export async function runSteps(what: string, steps: readonly Step[]): Promise<void> {
  const start = performance.now();
  const ends = await Promise.all(steps.map(runStep));
  const failed = steps.filter((_, index) => !ends[index]).map(({ name }) => name);
  const end = failed.length === 0 ? 'passed' : `FAILED (${failed.join(', ')})`;
  process.stdout.write(`  The ${what} ${end} in ${secondsSince(start)} s.\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** @returns whether the step succeeded */
async function runStep({ name, work }: Step): Promise<boolean> {
  const start = performance.now();
  const { isOk, text } = await work();
  process.stdout.write(
    `  ${isOk ? 'ok     ' : 'FAILED '} ${name} (${secondsSince(start)} s)\n${isOk ? '' : `${text}\n`}`,
  );
  return isOk;
}

const secondsSince = (start: number) => ((performance.now() - start) / 1000).toFixed(1);
