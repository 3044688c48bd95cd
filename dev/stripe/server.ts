import { readFileSync } from 'node:fs';
import { StripeStandIn } from './stripe-stand-in';

/** The newer half is created in one second, like an import, the older half one second apart. */
function seedOverTime(processor: StripeStandIn, tenantIds: readonly string[]): void {
  const now = Math.floor(processor.now().getTime() / 1000);
  const half = Math.floor(tenantIds.length / 2);
  processor.seedSubscriptions(tenantIds, (index) => ({ created: now - Math.max(0, half - index) }));
}

/**
 * Runs the stand-in in its own process, for the benchmark. It listens on PORT (or any free port),
 * creates a subscription for each tenant id of the JSON array in the file SEED, and prints one line
 * of JSON when it is ready. /_control/calls counts the calls. It shares the machine with the
 * service under test: `node --max-semi-space-size=2 --max-old-space-size=100` keeps 100,000
 * subscriptions below 150 MB.
 */
async function serve(): Promise<void> {
  const { PORT = '0', SEED } = process.env;
  const processor = new StripeStandIn();
  if (SEED) seedOverTime(processor, JSON.parse(readFileSync(SEED, 'utf8')) as string[]);
  await processor.start(Number(PORT));
  const { url, settings } = processor;
  process.stdout.write(`${JSON.stringify({ url, settings, memory: process.memoryUsage() })}\n`);
  process.once('SIGTERM', () => {
    void processor.stop().then(() => process.exit(0));
  });
}

void serve();
