import type { Environment } from './environment';
import { environmentOf, InvalidSettings, wrongIn } from './read-environment';
import { listOf } from './setting-values';

/** The settings of Stripe. */
export const processorOf = (env: Environment) =>
  Object.freeze({
    /** Undefined: billing responds with 503. */
    secretKey: env.PROCESSOR_SECRET_KEY,
    /** Several during a rotation: a delivery is valid when signed with any of them. */
    webhookSecrets: Object.freeze(listOf(env.PROCESSOR_WEBHOOK_SECRET ?? '')),
    /** The monthly prices, instead of those with the lookup keys of the catalogue. */
    prices: Object.freeze({ Pro: env.PROCESSOR_PRO_PRICE_ID, Business: env.PROCESSOR_BUSINESS_PRICE_ID }),
    /** Undefined: Stripe's own address. */
    apiUrl: env.PROCESSOR_API_URL === undefined ? undefined : new URL(env.PROCESSOR_API_URL),
    syncCron: env.SUBSCRIPTION_SYNC_CRON,
    /** How many trials a person can have, over all tenants that they own. */
    trialsPerUser: env.BILLING_TRIALS_PER_USER,
    /** What Stripe's payment page asks for, and whether it computes tax. */
    checkout: Object.freeze({
      promotionCodes: env.PROCESSOR_PROMOTION_CODES === 'true',
      automaticTax: env.PROCESSOR_AUTOMATIC_TAX === 'true',
      taxIds: env.PROCESSOR_TAX_IDS === 'true',
      billingAddress: env.PROCESSOR_BILLING_ADDRESS as 'auto' | 'required',
    }),
  });

/**
 * The same for a command that needs nothing else.
 * @throws InvalidSettings
 */
export function readProcessorSettings(variables: NodeJS.ProcessEnv): ReturnType<typeof processorOf> {
  const env = environmentOf(variables);
  const problems = wrongIn(env, 'PROCESSOR_SECRET_KEY', 'PROCESSOR_API_URL');
  if (!env.PROCESSOR_SECRET_KEY) problems.push('PROCESSOR_SECRET_KEY is required');
  if (problems.length > 0) throw new InvalidSettings(problems);
  return processorOf(env);
}
