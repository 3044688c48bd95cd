import { CommandBus } from '@nestjs/cqrs';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import { newId } from '../../../src/platform/ids';
import { RemindOfTrialEnds } from '../../../src/billing/subscriptions/commands/remind-of-trial-ends';
import type { Bearer, Member, SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { NOTHING, SubscriptionHistory, TRIAL } from '../../support/subscription-history';

const DAY = 86_400;
const REMINDED = { mails: [TRIAL], notes: ['TrialEnding'] };

describe('an extension of a trial by an operator', () => {
  let t: TestApp;
  let other: TestApp;
  let billing: SubscriptionHistory;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    other = await TestApp.start({ processor: true, beside: t });
    billing = new SubscriptionHistory(t);
    admin = await t.actors.admin();
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const send = (tenantId: string, body: object, by: Bearer = admin, app = t) =>
    app.api
      .post(`/admin/tenants/${tenantId}/trial`)
      .set(by.bearer)
      .send({ reason: 'Security review', ...body });
  const extend = ({ tenantId }: Member, endsAt: string, app = t) => send(tenantId, { endsAt }, admin, app);
  /** The time some days after another one. */
  const after = (time: string | null, days: number) => new Date(Date.parse(time!) + days * DAY * 1000).toISOString();
  const inDays = (days: number) => after(t.clock.now().toISOString(), days);
  const audit = ({ tenantId }: Member) =>
    t.database.query<{ by: string; data: object }>(
      `SELECT actor_id AS "by", data FROM audit_log
        WHERE tenant_id = $1 AND action = 'subscription.trial-extension-requested' ORDER BY id`,
      [tenantId],
    );

  /** A tenant in its first days of a trial of 14. */
  const trying = async () => {
    const owner = await t.actors.owner();
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await t.processor.drain();
    const { status, trialEndsAt } = await billing.subscription(owner);
    expect(status).toBe('Trialing');
    return { owner, endsAt: trialEndsAt! };
  };
  const post = (by: Member, path: string, body: object = {}) =>
    t.api.post(`/billing/${path}`).set(by.bearer).send(body).expect(200);

  it('moves its end at Stripe, shows it to the Owner, and is recorded with its reason', async () => {
    const { owner, endsAt } = await trying();
    const later = after(endsAt, 14);
    const { body } = await extend(owner, later).expect(200);
    expect(body.data).toMatchObject({
      tenantId: owner.tenantId,
      status: 'Trialing',
      trialEndsAt: later,
      currentPeriodEnd: later,
    });
    expect(await billing.subscription(owner)).toEqual(body.data);
    await t.processor.drain();
    expect(await billing.subscription(owner)).toMatchObject({ trialEndsAt: later });
    expect(billing.postsTo(`/v1/subscriptions/${body.data.processorSubscriptionId}`).at(-1)!.params).toEqual({
      trial_end: String(Date.parse(later) / 1000),
      proration_behavior: 'none',
    });
    expect(await audit(owner)).toEqual([{ by: admin.user.id, data: { endsAt: later, reason: 'Security review' } }]);
  });

  it('is made once if it is requested twice, one after the other or at once', async () => {
    const { owner, endsAt } = await trying();
    await extend(owner, after(endsAt, 7)).expect(200);
    expect((await extend(owner, after(endsAt, 7)).expect(200)).body.data).toMatchObject({
      trialEndsAt: after(endsAt, 7),
    });
    expect(await audit(owner)).toHaveLength(1);
    const answers = await Promise.all([extend(owner, after(endsAt, 9)), extend(owner, after(endsAt, 9), other)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await audit(owner)).toHaveLength(2);
  }, 30_000);

  it('never shortens a trial, also if two ask for different ends at once', async () => {
    const { owner, endsAt } = await trying();
    const [long, short] = await Promise.all([
      extend(owner, after(endsAt, 20)),
      extend(owner, after(endsAt, 10), other),
    ]);
    expect(long.status).toBe(200);
    expect([200, 400]).toContain(short.status);
    expect(await billing.subscription(owner)).toMatchObject({ trialEndsAt: after(endsAt, 20) });
    expect(await audit(owner)).toHaveLength(short.status === 200 ? 2 : 1);
  }, 30_000);

  it('is refused if what follows was planned elsewhere', async () => {
    const { owner, endsAt } = await trying();
    await post(owner, 'change', { planName: 'Business', when: 'period-end' });
    const customer = billing.customersOf(owner)[0].id;
    const { subscriptionSchedules } = clientOf(t.processor);
    const { data } = await subscriptionSchedules.list({ customer });
    await subscriptionSchedules.update(data[0].id, { end_behavior: 'cancel' });
    expect(codeOf(await extend(owner, after(endsAt, 7)).expect(409))).toBe('CONFLICT');
    expect(await billing.subscription(owner)).toMatchObject({ trialEndsAt: endsAt });
    expect(await audit(owner)).toHaveLength(1); // the request, which is recorded before Stripe is called
  });

  it('is refused for another end than a later one of at most 90 days, and without a reason', async () => {
    const { owner, endsAt } = await trying();
    const refusals: [object, string][] = [
      [{ endsAt: inDays(-1) }, 'must be in the future'],
      [{ endsAt: after(endsAt, -1) }, 'must be later than the current end of the trial'],
      [{ endsAt: inDays(91) }, 'must be at most 90 days from now'],
      [{ endsAt: 'tomorrow' }, 'must be a time such as 2026-01-31T23:59:59Z'],
    ];
    for (const [body, message] of refusals) {
      const { error } = (await send(owner.tenantId, body).expect(400)).body;
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { endsAt: [message] } });
    }
    const { error } = (await send(owner.tenantId, { endsAt: after(endsAt, 7), reason: ' ' }).expect(400)).body;
    expect(Object.keys(error.details as object)).toEqual(['reason']);
    expect(await billing.subscription(owner)).toMatchObject({ trialEndsAt: endsAt });
    expect(await audit(owner)).toEqual([]);
  });

  it('is for operators, who are checked again, and for tenants that exist', async () => {
    const { owner, endsAt } = await trying();
    const body = { endsAt: after(endsAt, 7) };
    expect(codeOf(await send(newId(), body).expect(404))).toBe('NOT_FOUND');
    await send(owner.tenantId, body, owner).expect(403);
    const former = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [former.user.id]);
    expect(codeOf(await send(owner.tenantId, body, former).expect(403))).toBe('FORBIDDEN');
    const impersonating = await t.actors.impersonating(admin, owner);
    await send(owner.tenantId, body, impersonating).expect(403);
    expect(await audit(owner)).toEqual([]);
  });

  it('answers 503 while Stripe is away, and changes and records nothing', async () => {
    const { owner, endsAt } = await trying();
    await t.processor.stop();
    expect(codeOf(await extend(owner, after(endsAt, 7)).expect(503))).toBe('BILLING_UNAVAILABLE');
    await t.processor.start();
    expect(await billing.subscription(owner)).toMatchObject({ trialEndsAt: endsAt });
    expect(await audit(owner)).toEqual([]);
    await extend(owner, after(endsAt, 7)).expect(200);
  }, 60_000);

  it('keeps the plan that is planned for the end of the trial', async () => {
    const { owner, endsAt } = await trying();
    await post(owner, 'change', { planName: 'Business', interval: 'year', when: 'period-end' });
    const later = after(endsAt, 3);
    const pendingChange = { plan: 'Business', interval: 'year', at: later };
    expect((await extend(owner, later).expect(200)).body.data).toMatchObject({
      plan: 'Pro',
      trialEndsAt: later,
      pendingChange,
    });
    await t.processor.drain();
    expect(await billing.subscription(owner)).toMatchObject({ status: 'Trialing', trialEndsAt: later, pendingChange });
    await t.processor.advance(15 * DAY);
    await t.processor.drain();
    expect(await billing.subscription(owner)).toMatchObject({ plan: 'Pro', status: 'Trialing' });
    await t.processor.advance(3 * DAY);
    await post(owner, 'sync');
    expect(await billing.subscription(owner)).toMatchObject({
      plan: 'Business',
      interval: 'year',
      status: 'Active',
      pendingChange: null,
    });
  });

  it('reminds the Owner again three days before the new end', async () => {
    const { owner, endsAt } = await trying();
    const pass = (days: number) => async () => {
      await t.processor.advance(days * DAY);
      await t.processor.drain();
    };
    expect(await billing.messagesFrom(owner, pass(12))).toEqual(REMINDED);
    const later = after(endsAt, 5);
    const lengthen = async () => {
      await extend(owner, later).expect(200);
    };
    expect(await billing.messagesFrom(owner, lengthen)).toEqual(NOTHING);
    expect(await billing.messagesFrom(owner, pass(5))).toEqual(REMINDED);
    expect(await billing.dataOf(owner)).toEqual([
      { plan: 'Pro', endsAt },
      { plan: 'Pro', endsAt: later },
    ]);
  });

  it('is refused if there is no trial, or it ends by a cancellation', async () => {
    const nobody = await t.actors.owner();
    expect(codeOf(await extend(nobody, inDays(10)).expect(409))).toBe('NO_SUBSCRIPTION');
    const { owner, endsAt } = await trying();
    await post(owner, 'cancel');
    const canceled = await extend(owner, after(endsAt, 7)).expect(409);
    expect([codeOf(canceled), canceled.body.error.message]).toEqual([
      'CONFLICT',
      expect.stringContaining('cancellation'),
    ]);
    await post(owner, 'resume');
    await extend(owner, after(endsAt, 1)).expect(200);
    await t.processor.advance(16 * DAY);
    const paid = await extend(owner, inDays(60)).expect(409);
    expect([codeOf(paid), paid.body.error.message]).toEqual(['CONFLICT', 'The subscription is not in a trial.']);
    expect(await audit(owner)).toHaveLength(1);
  });

  it('reminds by the schedule, too, if no event of Stripe arrives', async () => {
    const { owner, endsAt } = await trying();
    const later = after(endsAt, 7);
    await extend(owner, later).expect(200);
    t.processor.chaos.drop = 1;
    /** What the Owner gets from the schedule, two days before a time. */
    const messagesBefore = async (time: string) => {
      t.clock.advance((Date.parse(time) - t.clock.now().getTime()) / 1000 - 2 * DAY);
      const back = { ...owner, ...(await t.actors.signIn(owner.user.email)) };
      return billing.messagesFrom(back, async () => {
        await t.nest.get(CommandBus).execute(new RemindOfTrialEnds());
      });
    };
    expect(await messagesBefore(endsAt)).toEqual(NOTHING);
    expect(await messagesBefore(later)).toEqual(REMINDED);
  });
});
