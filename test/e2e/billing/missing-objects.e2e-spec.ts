import { CommandBus } from '@nestjs/cqrs';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import { CloseCustomer } from '../../../src/billing/checkout/commands/close-customer';
import { SetBilledSeats } from '../../../src/billing/seats/commands/set-billed-seats';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';

const FIND = 'GET /v1/subscriptions/{id}';
const FIND_SCHEDULE = 'GET /v1/subscription_schedules/{id}';
const YEARLY = { planName: 'Pro', interval: 'year', when: 'period-end' };
const BUSINESS = { planName: 'Business', when: 'now' };

describe('an object that Stripe does not know', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  const post = (by: Member, path: string, body: object = {}) =>
    t.api.post(`/billing/${path}`).set(by.bearer).send(body);

  /** A tenant that has paid for Pro, or is in its trial. */
  async function subscribed({ trial = false, planned = false } = {}): Promise<Member> {
    const owner = await t.actors.owner();
    const sql = `INSERT INTO subscriptions (tenant_id, plan, status, had_trial, updated_at)
      VALUES ($1, 'Free', 'Active', $2, now())`;
    await t.database.query(sql, [owner.tenantId, !trial]);
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await post(owner, 'sync').expect(200);
    if (planned) await post(owner, 'change', YEARLY).expect(200);
    return owner;
  }
  const idOf = async (owner: Member) => (await billing.subscription(owner)).processorSubscriptionId!;
  const scheduleOf = async (owner: Member) => t.processor.subscription(await idOf(owner))!.schedule as string;

  /** Work during which something happens after the response to a route was made. */
  async function during<T>(route: string, work: () => PromiseLike<T>, meanwhile: () => unknown): Promise<T> {
    const delayed = t.processor.delayResponse(route);
    const [done] = await Promise.all([work(), delayed.ready.then(meanwhile).finally(() => delayed.release())]);
    return done;
  }

  const cancel = (owner: Member) => post(owner, 'cancel');
  const extend = async (owner: Member) => {
    const admin = await t.actors.admin();
    const endsAt = new Date(t.processor.now().getTime() + 20 * 86_400_000);
    const body = { endsAt, reason: 'Asked by phone' };
    return t.api.post(`/admin/tenants/${owner.tenantId}/trial`).set(admin.bearer).send(body);
  };

  describe.each([
    ['a change at once', (owner: Member) => post(owner, 'change', BUSINESS), {}],
    ['a change at the end of the period', (owner: Member) => post(owner, 'change', YEARLY), {}],
    ['a preview', (owner: Member) => post(owner, 'change', { ...BUSINESS, preview: true }), {}],
    ['a cancellation', cancel, {}],
    ['an extension of the trial', extend, { trial: true }],
  ])('the subscription, after it was read for %s', (_what, request, state) => {
    it('is answered with NO_SUBSCRIPTION', async () => {
      const owner = await subscribed(state);
      const id = await idOf(owner);
      const response = await during(
        FIND,
        () => request(owner),
        () => t.processor.forget(id),
      );
      expect([response.status, codeOf(response)]).toEqual([409, 'NO_SUBSCRIPTION']);
    });

    it('that stays is changed', async () => {
      const owner = await subscribed(state);
      expect(
        (
          await during(
            FIND,
            () => request(owner),
            () => undefined,
          )
        ).status,
      ).toBe(200);
    });
  });

  it('is a planned cancellation, or a pause, whose subscription is gone: NO_SUBSCRIPTION', async () => {
    const [ending, paused] = [await subscribed(), await subscribed()];
    await cancel(ending).expect(200);
    await t.processor.customerActions.pause(await idOf(paused));
    for (const owner of [ending, paused]) {
      const id = await idOf(owner);
      const response = await during(
        FIND,
        () => post(owner, 'resume'),
        () => t.processor.forget(id),
      );
      expect([response.status, codeOf(response)]).toEqual([409, 'NO_SUBSCRIPTION']);
    }
  });

  describe.each([
    ['another planned change', FIND, (owner: Member) => post(owner, 'change', { ...YEARLY, planName: 'Business' }), {}],
    [
      'another planned change, just before it is written',
      FIND_SCHEDULE,
      (owner: Member) => post(owner, 'change', { ...YEARLY, planName: 'Business' }),
      {},
    ],
    ['a preview', FIND, (owner: Member) => post(owner, 'change', { ...BUSINESS, preview: true }), {}],
    ['an extension of the trial', FIND, extend, { trial: true }],
  ])('the schedule, after it was read for %s', (_what, route, request, state) => {
    it('is answered with CONFLICT', async () => {
      const owner = await subscribed({ ...state, planned: true });
      const id = await scheduleOf(owner);
      const response = await during(
        route,
        () => request(owner),
        () => t.processor.forget(id),
      );
      expect([response.status, codeOf(response)]).toEqual([409, 'CONFLICT']);
    });
  });

  it('is a schedule that is to be released: nothing is planned, and the rest is done', async () => {
    const owner = await subscribed({ planned: true });
    const id = await scheduleOf(owner);
    const response = await during(
      FIND,
      () => cancel(owner),
      () => t.processor.forget(id),
    );
    expect(response.status).toBe(200);
  });

  it('is a subscription whose seats are set: the job has nothing left to do', async () => {
    const owner = await subscribed();
    await t.actors.member(owner, 'Member');
    const [id, work] = [await idOf(owner), new SetBilledSeats(owner.tenantId)];
    const done = await during(
      FIND,
      () => t.nest.get(CommandBus).execute(work),
      () => t.processor.forget(id),
    );
    expect(done).toMatchObject({ ok: true });
  });

  it('is the customer: no portal, no invoices, no payment method, and no error', async () => {
    const owner = await subscribed();
    const [{ id }] = billing.customersOf(owner);
    for (const one of [await idOf(owner), id]) t.processor.forget(one);
    expect(codeOf(await post(owner, 'portal').expect(409))).toBe('NO_CUSTOMER');
    const get = async (path: string) => (await t.api.get(`/billing/${path}`).set(owner.bearer).expect(200)).body.data;
    expect(await get('invoices')).toMatchObject({ items: [] });
    expect(await get('payment-method')).toEqual({ onFile: null });
    await post(owner, 'sync').expect(200);
  });

  it('is a promotion code: VALIDATION_ERROR on the field', async () => {
    const owner = await t.actors.owner();
    await billing.checkout(owner);
    const request = () => post(owner, 'checkout', { planName: 'Pro', promotionCode: 'WELCOME20' });
    const forget = () => {
      const code = t.processor.openSessions(billing.customersOf(owner)[0].id);
      expect(code).toHaveLength(1);
      t.processor.forget('promo_welcome20');
    };
    const response = await during('GET /v1/promotion_codes', request, forget);
    expect([response.status, Object.keys(response.body.error.details as object)]).toEqual([400, ['promotionCode']]);
  });

  it('is an open checkout, or one that was paid meanwhile: CONFLICT, and the next request tells', async () => {
    const LIST = 'GET /v1/checkout/sessions';
    const [deleted, paid] = [await t.actors.owner(), await t.actors.owner()];
    const urls = new Map([deleted, paid].map((owner) => [owner, billing.checkout(owner)]));
    const [gone, open] = [await urls.get(deleted)!, await urls.get(paid)!];
    const business = (owner: Member) => billing.requestCheckout(owner, 'Business');
    const session = /cs_test_\w+/.exec(gone)![0];
    const first = await during(
      LIST,
      () => business(deleted),
      () => t.processor.forget(session),
    );
    expect(codeOf(first)).toBe('CONFLICT');
    await business(deleted).expect(200);
    const second = await during(
      LIST,
      () => business(paid),
      () => t.processor.customerActions.pay(open),
    );
    expect(codeOf(second)).toBe('CONFLICT');
    expect(codeOf(await business(paid).expect(409))).toBe('ALREADY_SUBSCRIBED');
  });

  it('is a checkout of a closed customer that was paid meanwhile: the subscription is canceled at once', async () => {
    const owner = await t.actors.owner();
    const url = await billing.checkout(owner);
    const [{ id }] = billing.customersOf(owner);
    const close = () => t.nest.get(CommandBus).execute(new CloseCustomer(owner.tenantId, id));
    const closed = await during('GET /v1/checkout/sessions', close, () => t.processor.customerActions.pay(url));
    expect(closed).toMatchObject({ ok: true });
    const { data } = await clientOf(t.processor).subscriptions.list({ customer: id, status: 'all' });
    expect(data.map(({ status }) => status)).toEqual(['canceled']);
  });
});
