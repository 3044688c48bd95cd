import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandBus } from '@nestjs/cqrs';
import { CloseCustomer } from '../../../src/billing/checkout/commands/close-customer';
import type { Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Billing } from '../../support/billing';

/** JSON with a success status that no operation returns. */
const NONSENSE = [
  '{}',
  '[]',
  'null',
  '"done"',
  '42',
  '{"ok":true,"data":null}',
  '{"object":"list"}',
  '{"object":"list","data":{}}',
  '{"object":"list","data":[{}]}',
  '{"object":"search_result","data":"none"}',
  '{"object":"customer"}',
  '{"object":"checkout.session","id":"cs_1","url":null}',
  '{"object":"billing_portal.session","id":"bps_1"}',
];

describe('an unexpected JSON response from Stripe', () => {
  let server: Server;
  let answer: string;
  let t: TestApp;
  let customer: Member;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json').end(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = {
      PROCESSOR_API_URL: address,
      PROCESSOR_SECRET_KEY: 'sk_test_nonsense',
      PROCESSOR_PRO_PRICE_ID: 'price_pro',
      LOG_LEVEL: 'silent',
    };
    t = await TestApp.start({ env });
    customer = await new Billing(t).subscribedOffline();
  });
  afterAll(async () => {
    await t.close();
    server.close();
  });

  it.each(NONSENSE)('%s counts as an outage: BILLING_UNAVAILABLE for requests, and jobs fail', async (nonsense) => {
    answer = nonsense;
    const stranger = await t.actors.owner();
    const requests = [
      t.api.post('/billing/checkout').set(stranger.bearer).send({ planName: 'Pro' }),
      t.api.post('/billing/checkout').set(customer.bearer).send({ planName: 'Pro' }),
      t.api.post('/billing/portal').set(customer.bearer),
    ];
    for (const request of requests) expect((await request.expect(503)).body.error.code).toBe('BILLING_UNAVAILABLE');
    const closed = await t.nest.get(CommandBus).execute(new CloseCustomer(customer.tenantId, 'cus_1'));
    expect(closed).toMatchObject({ ok: false, failure: { code: 'BILLING_UNAVAILABLE' } });
  });

  it('does not change a subscription during a sync', async () => {
    answer = '{"object":"list","data":[{}]}';
    const before = await t.database.query('SELECT * FROM subscriptions');
    const { body } = await t.api.post('/billing/sync').set(customer.bearer).expect(503);
    expect(body.error.code).toBe('BILLING_UNAVAILABLE');
    expect(await t.database.query('SELECT * FROM subscriptions')).toEqual(before);
  });
});
