import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { eventually } from '../../support/eventually';

describe('the trials of a person', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  /** Another tenant of the same Owner. */
  async function another(owner: Member, app = t): Promise<Member> {
    const { body } = await app.api.post('/tenants').set(owner.bearer).send({ name: 'Another' }).expect(200);
    const tenantId = body.data.id as string;
    const switched = await app.api.post('/auth/switch-tenant').set(owner.bearer).send({ tenantId }).expect(200);
    return { ...owner, tenantId, bearer: { Authorization: `Bearer ${switched.body.data.accessToken as string}` } };
  }
  const openOf = (owner: Member) => billing.customersOf(owner).flatMap(({ id }) => t.processor.openSessions(id));
  /** Whether the newest checkout of a tenant offers a trial. */
  const hasTrial = (owner: Member) => {
    const sent = billing.postsTo('/v1/checkout/sessions').filter((request) => {
      const { metadata } = request.params as { metadata: { tenantId: string } };
      return metadata.tenantId === owner.tenantId;
    });
    return (sent.at(-1)!.params as { metadata: { trialDays: string } }).metadata.trialDays !== '0';
  };
  const startTrial = async (owner: Member) => {
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await t.processor.drain();
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    expect((await billing.subscription(owner)).status).toBe('Trialing');
  };
  const cancel = async (owner: Member) => {
    await t.processor.customerActions.cancelNow((await billing.subscription(owner)).processorSubscriptionId!);
    await t.processor.drain();
  };

  it('are one over all workspaces that they own, also after that of the trial was deleted', async () => {
    const first = await t.actors.owner();
    await startTrial(first);
    const second = await another(first);
    await billing.checkout(second);
    expect(hasTrial(second)).toBe(false);
    await cancel(first);
    await t.api.delete('/tenants/current').set(first.bearer).expect(200);
    const third = await another(await t.actors.refreshed(second));
    await billing.checkout(third);
    expect(hasTrial(third)).toBe(false);
    const stranger = await t.actors.owner();
    await billing.checkout(stranger);
    expect(hasTrial(stranger)).toBe(true);
  });

  it('are one, however many workspaces start a checkout at the same time', async () => {
    const owners = [await t.actors.owner()];
    for (let index = 0; index < 3; index++) owners.push(await another(owners[0]));
    const other = await TestApp.start({ processor: true, beside: t });
    const responses = await Promise.all(
      owners.map((owner, index) => billing.requestCheckout(owner, 'Pro', index % 2 ? t : other)),
    );
    await other.close();
    expect(responses.map(({ body }) => body.error ?? null)).toEqual(owners.map(() => null));
    const open = owners.flatMap(openOf);
    expect(open.filter(({ metadata }) => metadata?.trialDays !== '0')).toHaveLength(1);
  }, 30_000);

  it('move to the workspace of the newest checkout, and the earlier one can no longer be paid', async () => {
    const first = await t.actors.owner();
    const second = await another(first);
    const url = await billing.checkout(first);
    await billing.checkout(second);
    expect(hasTrial(second)).toBe(true);
    expect(openOf(first)).toEqual([]);
    await expect(t.processor.customerActions.pay(url)).rejects.toThrow('expired');
    await billing.checkout(first);
    expect([hasTrial(first), openOf(second)]).toEqual([true, []]);
  });

  it('stay where a checkout was paid just before another workspace starts one', async () => {
    const first = await t.actors.owner();
    const second = await another(first);
    const url = await billing.checkout(first);
    const delayed = t.processor.delayResponse('GET /v1/checkout/sessions');
    const requested = billing.requestCheckout(second).then();
    await delayed.ready;
    t.processor.chaos.drop = 1;
    await t.processor.customerActions.pay(url);
    await t.processor.drain();
    t.processor.chaos.drop = 0;
    delayed.release();
    expect((await requested).status).toBe(200);
    expect(hasTrial(second)).toBe(false);
  });

  it('count for whoever owned the workspace, after the ownership was transferred', async () => {
    const owner = await t.actors.owner();
    const heir = await t.actors.member(owner, 'Member');
    await startTrial(owner);
    const transfer = { userId: heir.user.id };
    await t.api.post('/tenants/current/ownership').set(owner.bearer).send(transfer).expect(200);
    const [ofOwner, ofHeir] = [await another(await t.actors.refreshed(owner)), await another(heir)];
    for (const one of [ofOwner, ofHeir]) await billing.checkout(one);
    expect([hasTrial(ofOwner), hasTrial(ofHeir)]).toEqual([false, true]);
  });

  it('that were offered and not started are free after the workspace was deleted', async () => {
    const first = await t.actors.owner();
    await billing.checkout(first);
    await t.api.delete('/tenants/current').set(first.bearer).expect(200);
    await eventually(() => openOf(first).length === 0 || undefined, 'no open checkout');
    const second = await another(await t.actors.refreshed(first));
    await billing.checkout(second);
    expect(hasTrial(second)).toBe(true);
    const kept = 'SELECT FROM trial_grants WHERE granted_to = $1';
    expect(await t.database.query(kept, [first.tenantId])).toEqual([]);
  });

  it('are as many as the setting says', async () => {
    const two = await TestApp.start({ processor: true, beside: t, env: { BILLING_TRIALS_PER_USER: '2' } });
    const owners = [await t.actors.owner()];
    owners.push(await another(owners[0]), await another(owners[0]));
    for (const owner of owners) {
      const { body } = await billing.requestCheckout(owner, 'Pro', two).expect(200);
      if (owner !== owners[2]) await t.processor.customerActions.pay(body.data.checkoutUrl as string);
      await t.processor.drain();
      await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    }
    await two.close();
    expect(owners.map(hasTrial)).toEqual([true, true, false]);
  });
});
