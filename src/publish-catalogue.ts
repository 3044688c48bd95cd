import 'reflect-metadata';
import { mistakesIn } from './billing/catalogue/domain/catalogue-check';
import { tableOf } from './billing/catalogue/domain/catalogue-line';
import { PLAN_CATALOGUE } from './billing/catalogue/domain/plan-catalogue';
import { linesOf } from './billing/catalogue/services/catalogue-comparison';
import { publishPlan } from './billing/catalogue/services/catalogue-publication';
import { readCatalogueState, type ComparedPlan } from './billing/catalogue/services/catalogue-state';
import { StripeClient, type StripeResult } from './billing/stripe/stripe-client';
import { StripePrices } from './billing/stripe/stripe-prices';
import { StripeProducts } from './billing/stripe/stripe-products';
import { InvalidSettings, processEnvironment } from './config/read-environment';
import { readProcessorSettings } from './config/processor-settings';
import { createLog } from './platform/observability/log';
import { Metrics } from './platform/observability/metrics';

const USAGE = 'Usage: npm run billing -- plan [--apply]\n';

/**
 * The command `npm run billing`: compares the catalogue of plans with Stripe, and creates there
 * what is missing. Exit status 0: they are the same; 2: they differ; 1: it could not be found out.
 */
async function main([order, option, ...more]: string[]): Promise<void> {
  const isUnknown = option !== undefined && option !== '--apply';
  if (order !== 'plan' || isUnknown || more.length > 0) throw new Refused(USAGE);
  const mistakes = mistakesIn(PLAN_CATALOGUE);
  if (mistakes.length > 0) throw new Refused(`The catalogue of plans is invalid:\n  - ${mistakes.join('\n  - ')}\n`);
  const processor = readProcessorSettings(processEnvironment());
  const log = createLog({ level: 'warn', pretty: false }, process.stderr);
  const client = new StripeClient({ processor }, new Metrics(), log);
  try {
    const stripe = { prices: new StripePrices(client, log), products: new StripeProducts(client) };
    const read = () => readCatalogueState(stripe, processor.prices);
    if (option === '--apply') {
      for (const plan of valueOf(await read()))
        for (const sentence of valueOf(await publishPlan(stripe, plan))) process.stdout.write(`${sentence}\n`);
    }
    process.exitCode = report(valueOf(await read()));
  } finally {
    client.onApplicationShutdown();
  }
}

/** @returns the exit status */
function report(plans: readonly ComparedPlan[]): number {
  const lines = plans.flatMap(linesOf);
  const differing = lines.filter(({ difference }) => difference !== null).length;
  process.stdout.write(`${tableOf(lines)}\n\n`);
  const count = differing === 1 ? '1 line differs' : `${differing} lines differ`;
  process.stdout.write(`${differing === 0 ? 'Catalogue and Stripe are the same' : count}.\n`);
  return differing === 0 ? 0 : 2;
}

function valueOf<T>(result: StripeResult<T>): T {
  if (!result.ok) throw new Refused(`Stripe cannot be reached, or refuses the request; see the log above.\n`);
  return result.value;
}

/** Reported without a stack trace. */
class Refused extends Error {}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(
    error instanceof Refused || error instanceof InvalidSettings ? `${error.message}\n` : `${error.stack}\n`,
  );
  process.exit(1);
});
