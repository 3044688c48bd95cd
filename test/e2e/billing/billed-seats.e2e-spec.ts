import type Stripe from 'stripe';
import { DAY } from '../../../src/platform/clock';
import { CommandBus } from '@nestjs/cqrs';
import { setTimeout as pause } from 'node:timers/promises';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import { SetBilledSeats } from '../../../src/billing/seats/commands/set-billed-seats';
import { StripeClient } from '../../../src/billing/stripe/stripe-client';
import type { Member, SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { eventually } from '../../support/eventually';
import { SyncRuns } from '../../support/sync-runs';

const PUSH = 'push-seats';

describe('the seats that Stripe bills', () => {
  let t: TestApp;
  let other: TestApp | undefined;
  let billing: Billing;
  let syncs: SyncRuns;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
    syncs = new SyncRuns(t, billing);
  });
  afterAll(async () => {
    await other?.close();
    await t.close();
  });

  /** The Owner of a tenant that has bought a plan, and its subscription at Stripe. */
  async function subscribed({ planName = 'Pro' } = {}): Promise<{ owner: Member; id: string }> {
    const owner = await t.actors.owner();
    await t.processor.customerActions.pay(await billing.checkout(owner, planName));
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    return { owner, id: (await billing.subscription(owner)).processorSubscriptionId! };
  }
  const quantity = (id: string) => t.processor.subscription(id)!.items.data[0].quantity;
  const seats = async ({ tenantId }: Member) =>
    (
      await t.database.query<{ seats: number | null }>('SELECT seats FROM subscriptions WHERE tenant_id = $1', [
        tenantId,
      ])
    )[0].seats;
  const join = async (owner: Member): Promise<SignedInUser> => {
    const guest = await t.actors.signedInUser();
    const { email } = guest.user;
    await t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email }).expect(200);
    const token = await t.mailbox.token(email);
    await t.api.post('/invitations/accept').set(guest.bearer).send({ token }).expect(200);
    return guest;
  };
  const remove = ({ bearer }: Member, { user }: SignedInUser) =>
    t.api.delete(`/tenants/current/members/${user.id}`).set(bearer).expect(200);
  const updates = (id: string) => billing.postsTo(`/v1/subscriptions/${id}`).length;

  it('are the members after they have joined and left, with one call for several changes', async () => {
    const { owner, id } = await subscribed();
    const [guest] = [await join(owner), await join(owner)];
    expect(quantity(id)).toBe(1);
    await billing.untilJobsAreDone(PUSH);
    expect([quantity(id), await seats(owner), updates(id)]).toEqual([3, 3, 1]);
    await remove(owner, guest);
    await billing.untilJobsAreDone(PUSH);
    expect([quantity(id), await seats(owner)]).toEqual([2, 2]);
    await join(owner);
    await billing.untilJobsAreDone(PUSH);
    expect([quantity(id), await seats(owner)]).toEqual([3, 3]); // Stripe repeats no earlier answer
  });

  it.each([
    ['month', 'create_prorations'],
    ['year', 'always_invoice'],
  ])('of a subscription by the %s are charged so that nobody waits a year for it: %s', async (interval, proration) => {
    const owner = await t.actors.owner();
    const { body } = await t.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro', interval });
    await t.processor.customerActions.pay(body.data.checkoutUrl as string);
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    const id = (await billing.subscription(owner)).processorSubscriptionId!;
    await join(owner);
    await billing.untilJobsAreDone(PUSH);
    expect(billing.postsTo(`/v1/subscriptions/${id}`).at(-1)!.params).toMatchObject({ proration_behavior: proration });
  });

  it('of a year that is not paid get no invoice of their own', async () => {
    const owner = await t.actors.owner();
    const { body } = await t.api
      .post('/billing/checkout')
      .set(owner.bearer)
      .send({ planName: 'Pro', interval: 'year' });
    await t.processor.customerActions.pay(body.data.checkoutUrl as string);
    await t.processor.customerActions.useCard(billing.customersOf(owner)[0].id, 'declining');
    await t.processor.advance(15 * DAY);
    await t.processor.drain();
    const { status, processorSubscriptionId: id } = await billing.subscription(owner);
    expect(status).toBe('PastDue');
    await join(owner);
    await billing.untilJobsAreDone(PUSH);
    const { params } = billing.postsTo(`/v1/subscriptions/${id}`).at(-1)!;
    expect(params).toMatchObject({ proration_behavior: 'create_prorations' });
  });

  it('are taken over from the portal, and corrected', async () => {
    const { owner, id } = await subscribed();
    await t.processor.customerActions.changeQuantity(id, 7);
    await eventually(async () => (await seats(owner)) === 7 || undefined, 'the quantity of the portal');
    await billing.untilJobsAreDone('sync-subscription');
    await billing.untilJobsAreDone(PUSH);
    expect([quantity(id), await seats(owner)]).toEqual([1, 1]);
  });

  it('are repaired by the sync after a job was lost', async () => {
    const { owner, id } = await subscribed();
    await join(owner);
    await t.database.query(`DELETE FROM graphile_worker._private_jobs WHERE key = $1`, [`${PUSH}:${owner.tenantId}`]);
    const finished = await syncs.countFinished();
    syncs.nextSlot();
    await syncs.begin();
    await syncs.finished(finished + 1);
    await billing.untilJobsAreDone(PUSH);
    expect([quantity(id), await seats(owner)]).toEqual([2, 2]);
  });

  describe('while Stripe is away', () => {
    const UPDATE = 'POST /v1/subscriptions/{id}';
    const job = async ({ tenantId }: Member) =>
      (
        await t.database.query<{ attempts: number }>(
          'SELECT attempts FROM graphile_worker._private_jobs WHERE key = $1 AND locked_at IS NULL',
          [`${PUSH}:${tenantId}`],
        )
      )[0];
    /** Runs the job now, which fails, and is left for a later attempt. */
    const failOnce = async (owner: Member) => {
      await billing.runJobsNow(PUSH);
      await eventually(async () => (await job(owner))?.attempts === 1 || undefined, 'a failed attempt', 20_000);
    };
    /** The prorations of the next invoice, of which a repeated charge would have more. */
    const prorations = async (id: string) => {
      const stripe = clientOf(t.processor);
      const { lines } = await stripe.invoices.createPreview({ subscription: id });
      const isProration = ({ parent }: Stripe.InvoiceLineItem) =>
        parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false;
      return lines.data.filter(isProration).length;
    };

    it('do not delay members, who are billed once it is back', async () => {
      const { owner, id } = await subscribed();
      await t.processor.stop();
      const guest = await join(owner);
      const { body } = await t.api.get('/tenants/current/members').set(owner.bearer).expect(200);
      expect((body.data.items as { email: string }[]).map(({ email }) => email)).toContain(guest.user.email);
      await failOnce(owner);
      expect([quantity(id), await seats(owner)]).toEqual([1, 1]);
      await remove(owner, guest); // in the meantime
      await join(owner);
      await join(owner);
      await t.processor.start();
      await billing.untilJobsAreDone(PUSH);
      expect([quantity(id), await seats(owner), updates(id)]).toEqual([3, 3, 1]);
    }, 60_000);

    it.each([
      ['did nothing', 'disconnect', 3],
      ['failed', 'error', 3],
      ['did it without an answer', 'disconnect-after', 1],
    ] as const)(
      'are charged once if Stripe %s',
      async (_what, fault, count) => {
        const owner = await t.actors.owner();
        await Promise.all(Array.from({ length: 9 }, () => t.actors.member(owner)));
        await t.processor.customerActions.pay(await billing.checkout(owner));
        await t.api.post('/billing/sync').set(owner.bearer).expect(200);
        const id = (await billing.subscription(owner)).processorSubscriptionId!;
        await t.processor.advance(20 * DAY); // the trial is over
        await t.processor.drain();
        await join(owner);
        t.processor.injectFault(fault, count, UPDATE);
        if (count === 1) t.processor.injectFault('disconnect', 2, UPDATE);
        await failOnce(owner);
        await billing.untilJobsAreDone(PUSH);
        expect([quantity(id), await seats(owner)]).toEqual([11, 11]);
        expect(await prorations(id)).toBe(2); // what is left of ten seats, and of eleven
      },
      60_000,
    );

    it('are not repeated with the key of an attempt that failed', async () => {
      const { owner, id } = await subscribed();
      await join(owner);
      t.processor.injectFault('error', 3, UPDATE);
      await failOnce(owner);
      await billing.untilJobsAreDone(PUSH);
      const keys = billing.postsTo(`/v1/subscriptions/${id}`).map(({ idempotencyKey }) => idempotencyKey);
      expect([keys.length, new Set(keys).size, new Set(keys.slice(0, 3)).size]).toEqual([4, 2, 1]);
    }, 60_000);
  });

  it('stay as they are while the subscription is paused, without more jobs, and follow when it continues', async () => {
    const { owner, id } = await subscribed();
    await t.processor.customerActions.pause(id);
    await t.processor.drain();
    await join(owner);
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    await billing.untilJobsAreDone(PUSH); // it would not end if each comparison led to another job
    expect([quantity(id), await seats(owner)]).toEqual([1, 1]);
    await t.processor.customerActions.resume(id);
    await t.processor.drain();
    await billing.untilJobsAreDone('sync-subscription');
    await billing.untilJobsAreDone(PUSH);
    expect([quantity(id), await seats(owner)]).toEqual([2, 2]);
  });

  it('are set again if they were changed back after a job that ended halfway', async () => {
    const { owner, id } = await subscribed();
    t.processor.chaos.drop = 1;
    await join(owner);
    t.processor.injectFault('disconnect-after', 1, 'POST /v1/subscriptions/{id}');
    t.processor.injectFault('disconnect', 2, 'POST /v1/subscriptions/{id}');
    await billing.runJobsNow(PUSH);
    await eventually(() => Promise.resolve(quantity(id) === 2 || undefined), 'the first attempt');
    await t.processor.customerActions.changeQuantity(id, 1);
    const failed = `SELECT FROM graphile_worker._private_jobs WHERE key = $1 AND attempts = 1 AND locked_at IS NULL`;
    const hasFailed = async () => (await t.database.query(failed, [`${PUSH}:${owner.tenantId}`])).length === 1;
    await eventually(async () => (await hasFailed()) || undefined, 'the end of the first attempt');
    await billing.untilJobsAreDone(PUSH);
    t.processor.chaos.drop = 0;
    expect([quantity(id), await seats(owner)]).toEqual([2, 2]);
  });

  it('do not become the quantity of a flat price that is changed to at the same time', async () => {
    const { prices } = clientOf(t.processor);
    const { id: flat } = await prices.create({
      currency: 'usd',
      unit_amount: 2900,
      recurring: { interval: 'month' },
      product: (await prices.retrieve('price_pro_monthly')).product as string,
    });
    other = await TestApp.start({ processor: true, beside: t, env: { PROCESSOR_PRO_PRICE_ID: flat } });
    const { owner, id } = await subscribed({ planName: 'Business' });
    await t.actors.member(owner);
    const stripeClient = t.nest.get(StripeClient, { strict: false });
    const call = stripeClient.call.bind(stripeClient);
    let changed: Promise<number> | undefined;
    jest.spyOn(stripeClient, 'call').mockImplementation(async (operation, ask) => {
      if (operation === 'subscriptions.update' && !changed) {
        const body = { planName: 'Pro', interval: 'month', when: 'now' };
        changed = other!.api
          .post('/billing/change')
          .set(owner.bearer)
          .send(body)
          .then(({ status }) => status);
        await Promise.race([changed, pause(2000)]);
      }
      return call(operation, ask);
    });
    await t.nest.get(CommandBus).execute(new SetBilledSeats(owner.tenantId));
    jest.restoreAllMocks();
    expect(await changed).toBe(200);
    expect(t.processor.subscription(id)!.items.data[0]).toMatchObject({ price: { id: flat }, quantity: 1 });
  }, 30_000);

  it('stay as they are at a flat price, on Free and after the end', async () => {
    const free = await t.actors.owner();
    await join(free);
    const { owner, subscriber } = await billing.subscribed();
    await join(owner);
    await billing.untilJobsAreDone(PUSH);
    expect(updates(subscriber.subscriptionId)).toBe(0);
    const ended = await subscribed();
    await t.processor.customerActions.cancelNow(ended.id);
    await join(ended.owner);
    await billing.untilJobsAreDone(PUSH);
    expect(updates(ended.id)).toBe(0);
  });
});
