import { spawn } from 'node:child_process';

/** How a command has ended. */
export interface CommandResult {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/**
 * Runs a command of the service from source, with nothing of the environment but these variables.
 * @param file for example `src/publish-catalogue.ts`
 */
export function sourceCommand(
  file: string,
  parameters: readonly string[],
  variables: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const child = spawn(process.execPath, ['--require', '@swc-node/register', file, ...parameters], {
    env: { PATH: process.env.PATH, ...variables },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (status) => resolve({ status, output, errors }));
  });
}
