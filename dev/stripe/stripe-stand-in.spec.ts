import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { failureOf } from './stand-in-client';
import { codeOf, DAY, StandInFixture } from './stand-in-fixture';
import { StripeStandIn } from './stripe-stand-in';
import type { WebhookReceiver } from './webhook-receiver';

describe('The stand-in for Stripe', () => {
  let fixture: StandInFixture;
  let processor: StripeStandIn;
  let stripe: Stripe;
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    fixture = await StandInFixture.start();
    ({ processor, stripe, receiver } = fixture);
  });

  afterEach(async () => {
    await fixture.stop();
    expect(processor.violations).toEqual([]);
  });

  it('keeps its state and its pending deliveries during an outage', async () => {
    const { id } = await fixture.subscribed();
    const { url } = processor;
    await processor.stop();
    expect(codeOf(await failureOf(stripe.customers.list()))[0]).toBe('StripeConnectionError');
    await fixture.deliver();
    await processor.drain();
    expect(receiver.events).toEqual([]);
    await processor.start();
    expect(processor.url).toBe(url);
    await processor.drain();
    expect(receiver.events).toHaveLength(4);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('trialing');
  });

  it('saves its state in a file, and renames a file that it cannot read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'processor-'));
    const file = join(folder, 'state', 'processor.json');
    const first = new StripeStandIn({ file });
    const [{ subscriptionId }] = first.seedSubscriptions(['tenant-1']);
    await first.start();
    await first.customerActions.changePlan(subscriptionId, 'price_business_monthly');
    await first.advance(DAY);
    await first.stop();
    const second = new StripeStandIn({ file });
    expect(second.subscriptions()).toEqual(first.subscriptions());
    expect(second.events()).toEqual(first.events());
    expect(second.now().getTime() - Date.now()).toBeGreaterThan(DAY * 1000 - 5000);
    expect(second.seedSubscriptions(['tenant-2'])[0].subscriptionId).not.toBe(subscriptionId);
    await second.advance(31 * DAY);
    expect(second.events().map(({ type }) => type)).toContain('invoice.paid');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 100));
    expect(new StripeStandIn({ file }).customers()).toEqual([]);
    expect(existsSync(`${file}.broken`)).toBe(true);
    rmSync(folder, { recursive: true });
  });
});
