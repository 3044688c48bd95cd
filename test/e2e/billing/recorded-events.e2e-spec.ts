import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlanPrices } from '../../../src/billing/catalogue/services/plan-prices';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { event, newSubscriber, type TestEvent } from '../../support/stripe-events';

const FOLDER = join(__dirname, '../../events');
const files = ['.', 'derived'].flatMap((folder) =>
  readdirSync(join(FOLDER, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name)),
);

interface Recorded {
  readonly subscriptionId: string | undefined;
  readonly customerId: string | undefined;
  readonly event: TestEvent;
}

type Expandable = string | { readonly id: string } | null | undefined;
interface Line {
  readonly subscription?: Expandable;
  readonly parent?: { readonly subscription_item_details?: { readonly subscription?: Expandable } };
}
/** The fields that this test reads, in objects of any kind and API version. */
interface RecordedObject {
  readonly id: string;
  readonly customer?: Expandable;
  readonly subscription?: Expandable;
  readonly parent?: { readonly subscription_details?: { readonly subscription?: Expandable } };
  readonly lines?: { readonly data?: readonly Line[] };
  readonly items?: { readonly data?: readonly { readonly current_period_end?: number }[] };
  readonly current_period_end?: number;
  readonly cancel_at_period_end?: boolean;
  readonly cancel_at?: number | null;
  readonly status: string;
  readonly mode?: string;
  readonly payment_status?: string;
  readonly amount_paid?: number;
  readonly amount_total?: number;
}

/** The event in a file. Some files contain only its data, with the type in the file name. */
function recorded(file: string): Recorded {
  const content = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as TestEvent & { object: object };
  const type = file.split('__')[1];
  const isWhole = typeof content.type === 'string';
  const sent = isWhole
    ? { ...content, livemode: false }
    : event(type, (content as unknown as { object: Record<string, unknown> }).object);
  const object = sent.data.object as unknown as RecordedObject;
  const idOf = (value: Expandable) => (typeof value === 'string' ? value : value?.id);
  const [line] = object.lines?.data ?? [];
  const subscriptionId = type.startsWith('customer.subscription')
    ? object.id
    : (idOf(object.parent?.subscription_details?.subscription) ??
      idOf(object.subscription) ??
      idOf(line?.parent?.subscription_item_details?.subscription) ??
      idOf(line?.subscription));
  return {
    event: { ...sent, id: `evt_${file.replace(/\W+/g, '_').slice(-80)}` },
    subscriptionId,
    customerId: idOf(object.customer),
  };
}

const LOCAL: Record<string, string> = {
  trialing: 'Trialing',
  active: 'Active',
  past_due: 'PastDue',
  unpaid: 'PastDue',
  canceled: 'Canceled',
};

/** Recorded events of all API versions, and events derived from them (test/events/SOURCES.md). */
describe('recorded Stripe events', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    // every file uses other prices
    jest.spyOn(PlanPrices.prototype, 'termsOf').mockReturnValue({ plan: 'Business', interval: 'month' });
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(async () => {
    await t.close();
    jest.restoreAllMocks();
  });

  it('exist in 88 files', () => expect(files).toHaveLength(88));

  it.each(files)('%s is accepted and does not fail for an unknown tenant', async (file) => {
    const { event: sent, subscriptionId } = recorded(file);
    const unknown = { ...sent, id: `${sent.id}_unknown` };
    await billing.take(unknown);
    const isHandled =
      /completed|updated|deleted|payment_/.test(sent.type) &&
      subscriptionId !== undefined &&
      (sent.data.object.mode ?? 'subscription') === 'subscription';
    expect(await billing.stored(unknown)).toMatchObject([
      { status: isHandled ? 'needs-attention' : 'ignored', tenantId: null },
    ]);
  });

  it.each(files)('%s has the expected effect for a known tenant', async (file) => {
    const { event: sent, subscriptionId, customerId } = recorded(file);
    const owner = await t.actors.owner();
    const before = sent.type.endsWith('succeeded') ? ['PastDue', 'past_due'] : ['Active', 'active'];
    const isCheckout = sent.type.startsWith('checkout');
    await t.database.query(`UPDATE subscriptions SET processor_customer_id = NULL, processor_subscription_id = NULL`);
    await t.database.query(
      `INSERT INTO subscriptions (tenant_id, processor_customer_id, processor_subscription_id, plan, status,
        processor_status, updated_at)
       VALUES ($1, $2, $3, 'Pro', $4, $5, now())`,
      [
        owner.tenantId,
        customerId ?? newSubscriber('').customerId,
        isCheckout ? null : (subscriptionId ?? null),
        before[0],
        before[1],
      ],
    );
    await billing.take(sent);
    const [stored] = await billing.stored(sent);
    const view = await billing.subscription(owner);
    const object = sent.data.object as unknown as RecordedObject;
    if (sent.type === 'invoice.paid' || !subscriptionId || (object.mode ?? 'subscription') !== 'subscription') {
      expect([stored.status, view.status]).toEqual(['ignored', before[0]]);
      return;
    }
    expect(stored).toMatchObject({ status: 'processed', tenantId: owner.tenantId });
    expect(view).toMatchObject({ processorSubscriptionId: subscriptionId, processorCustomerId: customerId });
    const periodEnd = (object.items?.data?.[0]?.current_period_end ?? object.current_period_end) as number;
    switch (sent.type) {
      case 'customer.subscription.updated':
        expect(view).toMatchObject({
          status: LOCAL[object.status],
          plan: 'Business',
          currentPeriodEnd: new Date(periodEnd * 1000).toISOString(),
          cancelAtPeriodEnd: object.cancel_at_period_end === true || typeof object.cancel_at === 'number',
        });
        break;
      case 'customer.subscription.deleted':
        expect(view.status).toBe('Canceled');
        break;
      case 'invoice.payment_failed':
        expect(view).toMatchObject({ status: 'PastDue', plan: 'Pro' });
        break;
      case 'invoice.payment_succeeded':
        // an invoice of nothing, such as that of a trial, pays nothing that is due
        expect(view).toMatchObject({ status: object.amount_paid === 0 ? 'PastDue' : 'Active', plan: 'Pro' });
        break;
      default:
        expect(view.status).toBe(
          object.payment_status === 'no_payment_required' || object.amount_total === 0 ? 'Trialing' : 'Active',
        );
    }
  });
});
