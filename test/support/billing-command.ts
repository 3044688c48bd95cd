import type { StripeStandIn } from '../../dev/stripe/stripe-stand-in';
import { sourceCommand, type CommandResult } from './source-command';

/** Runs `npm run billing -- …` from source, against the stand-in for Stripe. */
export function billingCommand(
  { settings }: Pick<StripeStandIn, 'settings'>,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const { PROCESSOR_SECRET_KEY, PROCESSOR_API_URL } = settings;
  return sourceCommand('src/publish-catalogue.ts', parameters, { PROCESSOR_SECRET_KEY, PROCESSOR_API_URL, ...env });
}
