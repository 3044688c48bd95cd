import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';
import { codeOf } from '../../support/error-code';

describe('what an impersonator may not buy, change or end', () => {
  let t: TestApp;
  let billing: Billing;
  beforeAll(async () => {
    t = await TestApp.start({ processor: true });
    billing = new Billing(t);
  });
  afterAll(() => t.close());

  const post = (by: Member, path: string, body: object) => t.api.post(`/billing/${path}`).set(by.bearer).send(body);
  const calls = () => [...t.processor.calls.values()].reduce((sum, count) => sum + count, 0);

  /** The owner, and an operator in the owner's place. */
  const both = async () => {
    const owner = await t.actors.owner();
    return { owner, operator: await t.actors.impersonating(await t.actors.admin(), owner) };
  };
  const expectRefused = async (operator: Member, path: string, body: object) => {
    const before = calls();
    expect(codeOf(await post(operator, path, body).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
    expect(calls()).toBe(before);
  };

  it.each([
    {},
    { interval: 'year' },
    { currency: 'eur' },
    { promotionCode: 'WELCOME20' },
    { interval: 'year', currency: 'eur', promotionCode: 'WELCOME20' },
  ])('a checkout with %j, which the owner starts', async (terms) => {
    const { owner, operator } = await both();
    const body = { planName: 'Pro', ...terms };
    await expectRefused(operator, 'checkout', body);
    await post(owner, 'checkout', body).expect(200);
  });

  it.each([
    ['change', { planName: 'Business', when: 'now' }],
    ['change', { planName: 'Business', when: 'now', preview: true }],
    ['change', { planName: 'Pro', interval: 'year', when: 'period-end' }],
    ['change', { planName: 'Free', when: 'period-end' }],
    ['cancel', {}],
    ['resume', {}],
  ])('POST /billing/%s with %j, which the owner may', async (path, body) => {
    const { owner, operator } = await both();
    await t.processor.customerActions.pay(await billing.checkout(owner));
    await post(owner, 'sync', {}).expect(200);
    await t.processor.drain();
    await expectRefused(operator, path, body);
    await post(owner, path, body).expect(200);
  });
});
