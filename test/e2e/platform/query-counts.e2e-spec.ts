import { randomUUID } from 'node:crypto';
import { QueryCounter } from '../../../bench/query-counter';
import { IdentityProvider } from '../../../dev/identity-provider';
import { SendLinkMail } from '../../../src/auth/commands/send-link-mail';
import { OneTimeTokenRepository } from '../../../src/auth/data/one-time-token.repository';
import { newKeyToken } from '../../../src/keys/domain/key-token';
import { MINUTE } from '../../../src/platform/clock';
import { Jobs } from '../../../src/platform/jobs/jobs';
import { newServiceKey } from '../../support/api-keys';
import { bearer, PASSWORD, type Bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { markVerified } from '../../support/verified-endpoint';
import { Billing } from '../../support/billing';
import { Browser } from '../../support/browser';
import { newSubscriber, subscriptionUpdated } from '../../support/stripe-events';

/**
 * The number of messages that a request may send to the database, including BEGIN, the tenant's
 * scope, COMMIT and, before two or more writes that are sent with it, their time limit.
 */
describe('The number of messages to the database, which does not grow with the rows,', () => {
  let first: TestApp;
  let t: TestApp;
  let counter: QueryCounter;
  let owner: Member;
  const identityProvider = new IdentityProvider();
  beforeAll(async () => {
    first = await TestApp.start({ processor: true, env: { WORKER: 'off' } });
    counter = await QueryCounter.start(first.database.url);
    // Requests are sequential, so that no connection is opened while counting.
    t = await TestApp.start({
      beside: first,
      identityProvider,
      processor: true,
      env: { DATABASE_URL: counter.url, WORKER: 'off' },
    });
    owner = await t.actors.owner();
  });
  afterAll(async () => {
    await t.close();
    await counter.close();
    await first.close();
  });

  const messages = async (work: () => Promise<unknown>) => (await counter.during(work)).messages;
  const ask = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, by = owner) =>
    t.api[method](path).set(by.bearer).send(body).expect(200);

  it('is 2 for signing in, 1 for a refresh and 1 for the current user', async () => {
    const { email } = owner.user;
    expect(await messages(() => t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200).then())).toBe(
      2,
    );
    const { refreshToken } = await t.actors.signIn(email);
    expect(await messages(() => t.api.post('/auth/refresh').send({ refreshToken }).expect(200).then())).toBe(1);
    await ask('get', '/auth/me');
    expect(await messages(() => ask('get', '/auth/me').then())).toBe(1);
  });

  it('is 1 more with a key, once in a minute, and none with a text that only looks like one', async () => {
    const list = (by: Bearer) => () => t.api.get('/tenants/current/projects').set(by.bearer).then();
    const byToken = await messages(list(owner));
    const key = await newServiceKey(first, owner, ['tenant.projects.read']);
    await first.api.get('/tenants/current/projects').set(key.bearer).expect(200); // its first use is recorded
    expect(await messages(list(key))).toBe(byToken + 1);
    for (let count = 0; count < 3; count++) expect(await messages(list(key))).toBe(byToken);
    t.clock.advance(MINUTE + 1);
    expect(await messages(list(key))).toBe(byToken + 1);
    const garbled = bearer(`${key.key.slice(0, -1)}${key.key.endsWith('x') ? 'y' : 'x'}`);
    expect(await messages(list({ bearer: garbled }))).toBe(0);
    const unknown = bearer(newKeyToken('tn', 'service'));
    expect(await messages(list({ bearer: unknown }))).toBe(1);
  });

  it('is 2 in one round trip for the subscription of a tenant, once in 5 minutes', async () => {
    const newcomer = await t.actors.owner();
    const me = () => counter.during(() => ask('get', '/auth/me', undefined, newcomer).then());
    expect(await me()).toEqual({ messages: 3, roundTrips: 2 });
    expect(await me()).toEqual({ messages: 1, roundTrips: 1 });
  });

  it('is 5 for a provider sign-in, 8 for linking, 13 for an unverified account, 11 for a new account', async () => {
    const callback = async (wanted: { id: string; email: string }) => {
      const browser = new Browser(t);
      const address = await identityProvider.pick(await browser.begin('google'), {
        name: 'Ada',
        isEmailVerified: true,
        ...wanted,
      });
      return messages(async () => expect(await browser.comeBack(address)).toHaveProperty('accessToken'));
    };
    const isNew = { id: '1', email: 'new@example.com' };
    const [verified, unverified] = [await t.actors.user(), await t.actors.user({ isEmailVerified: false })];
    // BEGIN and COMMIT of a transaction are two messages. For a new account the first transaction
    // only looks for an existing one.
    expect(await callback(isNew)).toBe(11);
    expect(await callback(isNew)).toBe(5);
    expect(await callback({ id: '2', email: verified.email })).toBe(8);
    expect(await callback({ id: '3', email: unverified.email })).toBe(13);
  });

  it('is 1 for requesting a mailed link, with or without an account, so that timing reveals nothing', async () => {
    for (const path of ['/auth/magic-link/request', '/auth/password/forgot']) {
      for (const email of [owner.user.email, 'nobody@example.com']) {
        expect(await messages(() => t.api.post(path).send({ email }).expect(200).then())).toBe(1);
      }
    }
  });

  it('is 5 for signing in by a mailed link', async () => {
    const user = await t.actors.user();
    const token = await t.nest.get(OneTimeTokenRepository).issue(user.id, 'magic-link');
    expect(
      await messages(() => t.api.get('/auth/magic-link/verify').query({ token }).redirects(0).expect(302).then()),
    ).toBe(5);
  });

  it('is at most 2 in one round trip for each operator page, and one more for recorded views', async () => {
    const admin = await t.actors.admin();
    for (const [path, sent, roundTrips] of [
      ['tenants', 2, 1],
      ['audit-log', 3, 2],
      ['webhook-events', 2, 1],
      [`names?ids=${owner.user.id},${owner.tenantId}`, 2, 1],
      ['users', 2, 2],
      ['users?state=disabled', 2, 2],
      ['jobs', 1, 1],
      ['jobs/queues', 1, 1],
      ['jobs/rates', 1, 1],
    ] as const) {
      const traffic = await counter.during(() => ask('get', `/admin/${path}`, undefined, admin as Member).then());
      expect([path, traffic.messages, traffic.roundTrips]).toEqual([path, sent, roundTrips]);
    }
    expect(await messages(() => ask('get', '/admin/users?search=nobody', undefined, admin as Member).then())).toBe(3);
  });

  it('is 6 for retrying jobs and 7 for deleting them, for any number of jobs', async () => {
    const admin = await t.actors.admin();
    for (const [what, sent] of [
      ['retry', 6],
      ['delete', 7],
    ] as const) {
      for (const count of [1, 5]) {
        for (let i = 0; i < count; i++)
          await first.nest.get(Jobs).enqueue(new SendLinkMail('nobody@example.com', 'magic-link'));
        const jobs = await first.database.query<{ id: string }>(
          'SELECT id::text FROM graphile_worker._private_jobs ORDER BY id DESC LIMIT $1',
          [count],
        );
        const ids = jobs.map(({ id }) => id);
        expect([
          what,
          count,
          await messages(() => ask('post', `/admin/jobs/${what}`, { ids }, admin as Member).then()),
        ]).toEqual([what, count, sent]);
      }
    }
  });

  it('is 2 in one round trip for each page of a tenant', async () => {
    for (let i = 0; i < 4; i++) await t.actors.member(owner);
    const lists = ['members', 'roles', 'invitations', 'projects', 'audit-log'].map(
      (list) => `/tenants/current/${list}`,
    );
    for (const path of [...lists, '/notifications', '/notifications/unread-count', '/tenants/current']) {
      const { messages: sent, roundTrips } = await counter.during(() => ask('get', path).then());
      expect([path, sent, roundTrips]).toEqual([path, 2, 1]);
    }
  });

  it('is 6 in 2 round trips for renaming the user', async () => {
    const traffic = await counter.during(() => ask('patch', '/users/me', { name: 'Grace' }).then());
    expect(traffic).toEqual({ messages: 6, roundTrips: 2 });
  });

  it('is 8 in 3 round trips for renaming with an Idempotency-Key, and 1 for repeating the answer', async () => {
    const key = randomUUID();
    const rename = () =>
      counter.during(() =>
        t.api
          .patch('/users/me')
          .set(owner.bearer)
          .set('Idempotency-Key', key)
          .send({ name: 'Hedy' })
          .expect(200)
          .then(),
      );
    expect(await rename()).toEqual({ messages: 8, roundTrips: 3 });
    expect(await rename()).toEqual({ messages: 1, roundTrips: 1 });
  });

  it('is 8 in 4 round trips for creating a role, and 10 in 7 for deleting one, however many invitations', async () => {
    const role = async () =>
      (await ask('post', '/tenants/current/roles', { name: `R${Math.random()}`, permissions: ['tenant.audit.read'] }))
        .body.data.id as string;
    expect(await counter.during(role)).toEqual({ messages: 8, roundTrips: 4 });
    const [lonely, promised] = [await role(), await role()];
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com'])
      await ask('post', '/tenants/current/invitations', { email, roleId: promised });
    for (const id of [lonely, promised]) {
      const traffic = await counter.during(() => ask('delete', `/tenants/current/roles/${id}`).then());
      expect(traffic).toEqual({ messages: 10, roundTrips: 7 });
    }
  });

  it('is the same with webhooks for other events, and two more without a round trip for a wanted one', async () => {
    const hooked = await t.actors.owner({ plan: 'Business' }); // without a limit of projects
    const project = () =>
      counter.during(() => ask('post', '/tenants/current/projects', { name: 'Loom' }, hooked).then());
    await project(); // loads the plan
    const without = await project();
    const url = 'https://receiver.example/';
    const webhook = async (types: string[]) => {
      const { body } = await ask('post', '/tenants/current/webhooks', { url, types }, hooked);
      await markVerified(t, body.data as { id: string });
    };
    await webhook(['role.deleted']);
    expect(await project()).toEqual(without);
    await webhook(['project.created']);
    // the message, and the time limit of now two writes
    expect(await project()).toEqual({ ...without, messages: without.messages + 2 });
  });

  it('is 15 in 7 round trips for an invitation, which notifies the Owner or the user with the account', async () => {
    const known = await t.actors.user();
    for (const email of ['stranger@example.com', known.email]) {
      const traffic = await counter.during(() => ask('post', '/tenants/current/invitations', { email }).then());
      expect([email, traffic]).toEqual([email, { messages: 15, roundTrips: 7 }]);
    }
  });

  it('is 8 in 2 round trips for a Stripe event, 0 when repeated, 4 elsewhere, without calls to Stripe', async () => {
    const stored = subscriptionUpdated(newSubscriber(owner.tenantId));
    first.processor.deliverTo(`${first.address}/api/v1/webhooks/stripe`);
    await new Billing(first).take(stored);
    first.processor.deliverTo(`${t.address}/api/v1/webhooks/stripe`);
    const billing = new Billing(t);
    const { subscriber } = await billing.subscribed();
    const asked = t.processor.requests.length;
    const renewal = subscriptionUpdated(subscriber, { periodEnd: 1_950_000_000 });
    expect(await counter.during(() => billing.take(renewal))).toEqual({ messages: 8, roundTrips: 2 });
    expect(await messages(() => billing.take(renewal))).toBe(0);
    expect(await counter.during(() => billing.take(stored))).toEqual({ messages: 4, roundTrips: 2 });
    expect(t.processor.requests).toHaveLength(asked);
  });

  it('is 9 for ending other sessions, for any number of sessions', async () => {
    for (let i = 0; i < 3; i++) await t.actors.signIn(owner.user.email);
    expect(await messages(() => ask('delete', '/auth/sessions').then())).toBe(9);
  });
});
