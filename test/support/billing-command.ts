import { spawn } from 'node:child_process';
import type { StripeStandIn } from '../../dev/stripe/stripe-stand-in';

/** How a command has ended. */
export interface CommandResult {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs `npm run billing -- …` from source, against the stand-in for Stripe. */
export function billingCommand(
  { settings }: Pick<StripeStandIn, 'settings'>,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const { PROCESSOR_SECRET_KEY, PROCESSOR_API_URL } = settings;
  const child = spawn(
    process.execPath,
    ['--require', '@swc-node/register', 'src/publish-catalogue.ts', ...parameters],
    { env: { PATH: process.env.PATH, PROCESSOR_SECRET_KEY, PROCESSOR_API_URL, ...env } },
  );
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (status) => resolve({ status, output, errors }));
  });
}
