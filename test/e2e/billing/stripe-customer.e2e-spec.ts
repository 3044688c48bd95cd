import { CommandBus } from '@nestjs/cqrs';
import { UpdateCustomer } from '../../../src/billing/checkout/commands/update-customer';
import { TestApp } from '../../support/app';
import { clientOf } from '../../../dev/stripe/stand-in-client';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';
import { EmailChanges, newAddress } from '../../support/email-changes';

describe('the Stripe customer', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  const updates = () => t.processor.calls.get('POST /v1/customers/{id}') ?? 0;

  it('gets the name of the tenant and the email of the Owner, with one call for related changes', async () => {
    const owner = await t.actors.owner();
    const heir = await t.actors.member(owner, 'Member');
    await t.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro' }).expect(200);
    const customer = () =>
      t.processor.customers().find((one) => 'metadata' in one && one.metadata.tenantId === owner.tenantId);
    expect(customer()).toMatchObject({ name: 'Acme', email: owner.user.email });
    const before = updates();
    await t.api.patch('/tenants/current').set(owner.bearer).send({ name: 'Acme & Heirs' }).expect(200);
    await t.api.post('/tenants/current/ownership').set(owner.bearer).send({ userId: heir.user.id }).expect(200);
    await billing.untilJobsAreDone('describe-customer');
    expect(customer()).toMatchObject({ name: 'Acme & Heirs', email: heir.user.email });
    expect(updates()).toBe(before + 1);
  });

  it('that was deleted at Stripe has no portal, and the next checkout creates another one', async () => {
    const owner = await t.actors.owner();
    const portal = () => t.api.post('/billing/portal').set(owner.bearer);
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    await portal().expect(200);
    const [{ id }] = billing.customersOf(owner);
    await clientOf(t.processor).customers.del(id);
    await t.processor.drain();
    expect(codeOf(await portal().expect(409))).toBe('NO_CUSTOMER');
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await t.api.post('/billing/sync').set(owner.bearer).expect(200);
    await portal().expect(200);
  });

  it('gets the new address of the Owner, and the earlier one when the change is undone', async () => {
    const owner = await t.actors.owner();
    await t.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro' }).expect(200);
    const [{ id }] = billing.customersOf(owner);
    const address = () => t.processor.customers().find((one) => one.id === id);
    const [before, email, changes] = [owner.user.email, newAddress(), new EmailChanges(t)];
    const token = await changes.change(owner, before, email);
    await billing.untilJobsAreDone('describe-customer');
    expect(address()).toMatchObject({ email });
    await changes.undo(token).expect(200);
    await billing.untilJobsAreDone('describe-customer');
    expect(address()).toMatchObject({ email: before });
  });

  it('keeps the address of its Owner when a member changes theirs', async () => {
    const owner = await t.actors.owner();
    const member = await t.actors.member(owner);
    await t.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro' }).expect(200);
    const before = updates();
    await new EmailChanges(t).change(member, member.user.email, newAddress());
    await billing.untilJobsAreDone('describe-customer');
    expect(updates()).toBe(before);
  });

  it('keeps the legal name of the checkout where that asks for tax ids', async () => {
    const taxed = await TestApp.start({ beside: t, processor: true, env: { PROCESSOR_TAX_IDS: 'true' } });
    const owner = await taxed.actors.owner();
    await taxed.api.post('/billing/checkout').set(owner.bearer).send({ planName: 'Pro' }).expect(200);
    const [{ id }] = billing.customersOf(owner);
    await taxed.nest.get(CommandBus).execute(new UpdateCustomer(owner.tenantId));
    expect(billing.postsTo(`/v1/customers/${id}`).at(-1)!.params).toEqual({ email: owner.user.email });
    await taxed.close();
  });

  it('is not updated if the tenant has none', async () => {
    const owner = await t.actors.owner();
    const before = updates();
    await t.api.patch('/tenants/current').set(owner.bearer).send({ name: 'Free' }).expect(200);
    await billing.untilJobsAreDone('describe-customer');
    expect(updates()).toBe(before);
  });
});
