import { readFileSync } from 'node:fs';
import { StripeStandIn } from './stripe-stand-in';

/** The newer half was created in one second, as by an import; the older ones a second apart. */
function seedOverTime(processor: StripeStandIn, tenantIds: readonly string[]): void {
  const now = Math.floor(processor.now().getTime() / 1000);
  const half = Math.floor(tenantIds.length / 2);
  processor.seedSubscriptions(tenantIds, (index) => ({ created: now - Math.max(0, half - index) }));
}

/**
 * A stand-in in a process of its own, for the benchmark: listens on PORT (or any free port), plants
 * a subscription per tenant id of the JSON array in the file PLANT, and prints one line of JSON
 * when it is ready. How often it was called is at /_control/calls. It shares the machine with what
 * is measured: `node --max-semi-space-size=2 --max-old-space-size=100` keeps 100,000 subscriptions
 * below 150 MB.
 */
async function serve(): Promise<void> {
  const { PORT = '0', PLANT } = process.env;
  const processor = new StripeStandIn();
  if (PLANT) seedOverTime(processor, JSON.parse(readFileSync(PLANT, 'utf8')) as string[]);
  await processor.start(Number(PORT));
  const { url, settings } = processor;
  process.stdout.write(`${JSON.stringify({ url, settings, memory: process.memoryUsage() })}\n`);
  process.once('SIGTERM', () => void processor.stop().then(() => process.exit(0)));
}

void serve();
