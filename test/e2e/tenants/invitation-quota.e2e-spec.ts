import { CommandBus } from '@nestjs/cqrs';
import { DAY, addSeconds, MINUTE } from '../../../src/platform/clock';
import { PurgeInvitations } from '../../../src/tenants/commands/purge-invitations';
import { bearer } from '../../support/actors';
import { TestApp } from '../../support/app';
import { Entitlements } from '../../support/entitlement-overrides';

describe('the daily limit of invitation emails', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const invite = (owner: Awaited<ReturnType<TestApp['actors']['owner']>>, email: string) =>
    t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email });
  const atOnce = async (owner: Parameters<typeof invite>[0], from: number, count: number) => {
    const responses = await Promise.all(
      Array.from({ length: count }, (_, n) => invite(owner, `guest${from + n}@example.com`)),
    );
    return responses.map(({ status }) => status);
  };

  it('is 20 per tenant on the Free plan, resent invitations included, also under concurrent requests', async () => {
    const owner = await t.actors.owner();
    await new Entitlements(t).giveSeats(owner);
    const { body } = await invite(owner, 'first@example.com').expect(200);
    const statuses = [...(await atOnce(owner, 0, 12)), ...(await atOnce(owner, 12, 12))];
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    const { id } = (body as { data: { id: string } }).data;
    const again = await t.api.post(`/tenants/current/invitations/${id}/resend`).set(owner.bearer).expect(429);
    expect(again.body.error.code).toBe('RATE_LIMITED');
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(DAY - 60);
    expect((await t.http.get('/metrics').expect(200)).text).toContain('rate_limited_total{kind="invitations"} 6');
  }, 40_000);

  it('starts again after a day', async () => {
    const owner = await t.actors.owner();
    await t.database.query(`INSERT INTO invitation_quotas VALUES ($1, $2, 20)`, [owner.tenantId, t.clock.now()]);
    await invite(owner, 'late@example.com').expect(429);
    await t.database.query(
      `UPDATE invitation_quotas SET window_started_at = window_started_at - interval '1 day' WHERE tenant_id = $1`,
      [owner.tenantId],
    );
    await invite(owner, 'late@example.com').expect(200);
  });

  it('names the end of a day that another invitation begins meanwhile', async () => {
    const owner = await t.actors.owner();
    await t.database.query(`INSERT INTO invitation_quotas VALUES ($1, $2, 20)`, [
      owner.tenantId,
      addSeconds(t.clock.now(), -3 * DAY),
    ]);
    const begin = 'UPDATE invitation_quotas SET window_started_at = $2 WHERE tenant_id = $1';
    const refused = await t.database.inTheMidstOf(begin, [owner.tenantId, t.clock.now()], () =>
      invite(owner, 'late@example.com').expect(429),
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(DAY - 60);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(DAY);
  });

  it('does not count refused invitations', async () => {
    const owner = await t.actors.owner();
    await invite(owner, 'twice@example.com').expect(200);
    await invite(owner, 'twice@example.com').expect(409);
    const [{ sent }] = await t.database.query<{ sent: number }>(
      'SELECT sent FROM invitation_quotas WHERE tenant_id = $1',
      [owner.tenantId],
    );
    expect(sent).toBe(1);
  });

  it('is 500 per tenant on a paid plan', async () => {
    const owner = await t.actors.owner({ plan: 'Pro' });
    await t.database.query(`INSERT INTO invitation_quotas VALUES ($1, $2, 499)`, [owner.tenantId, t.clock.now()]);
    expect((await atOnce(owner, 100, 3)).sort()).toEqual([200, 429, 429]);
  });

  describe('for one sender', () => {
    type Owner = Parameters<typeof invite>[0];

    /** Another tenant of the same user, active in a separate session. */
    const newTenant = async (owner: Owner, plan?: 'Pro'): Promise<Owner> => {
      const session = await t.actors.signIn(owner.user.email);
      const { body } = await t.api.post('/tenants').set(session.bearer).send({ name: 'Another' }).expect(200);
      const { id } = (body as { data: { id: string } }).data;
      if (plan)
        await t.database.query(
          `INSERT INTO subscriptions (tenant_id, plan, status, updated_at) VALUES ($1, $2, 'Active', now())`,
          [id, plan],
        );
      const entered = await t.api.post('/auth/switch-tenant').set(session.bearer).send({ tenantId: id }).expect(200);
      const { accessToken } = (entered.body as { data: { accessToken: string } }).data;
      return { ...owner, ...session, accessToken, bearer: bearer(accessToken), tenantId: id };
    };

    it('is 20 over all their tenants on the Free plan, deleted ones included', async () => {
      const owner = await t.actors.owner();
      const first = await newTenant(owner);
      await new Entitlements(t).giveSeats(first);
      expect(new Set(await atOnce(first, 200, 15))).toEqual(new Set([200]));
      await t.api.delete('/tenants/current').set(first.bearer).expect(200);
      const second = await newTenant(owner);
      const statuses = await atOnce(second, 300, 8);
      expect(statuses.filter((status) => status === 200)).toHaveLength(5);
      const refused = await invite(owner, 'over@example.com').expect(429);
      expect(refused.body.error).toMatchObject({
        code: 'RATE_LIMITED',
        message: expect.stringContaining('over all your tenants'),
      });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(DAY - 60);
      const [{ sent }] = await t.database.query<{ sent: number }>(
        'SELECT sent FROM inviter_quotas WHERE user_id = $1',
        [owner.user.id],
      );
      expect(sent).toBe(20);
    }, 40_000);

    it('is not exceeded by concurrent invitations to several tenants', async () => {
      const owner = await t.actors.owner();
      const tenants = [owner, await newTenant(owner), await newTenant(owner)];
      const statuses = (await Promise.all(tenants.map((tenant, n) => atOnce(tenant, 1000 + 100 * n, 9)))).flat();
      expect(statuses.filter((status) => status === 200)).toHaveLength(20);
      expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    }, 40_000);

    it('does not apply to paid tenants or to other inviters of the same tenant, and resets after a day', async () => {
      const owner = await t.actors.owner();
      await t.database.query(`INSERT INTO inviter_quotas VALUES ($1, $2, 20)`, [owner.user.id, t.clock.now()]);
      await invite(owner, 'free@example.com').expect(429);
      await invite(await newTenant(owner, 'Pro'), 'paid@example.com').expect(200);
      await invite(await t.actors.member(owner, 'Admin'), 'other@example.com').expect(200);
      await t.database.query(
        `UPDATE inviter_quotas SET window_started_at = window_started_at - interval '1 day' WHERE user_id = $1`,
        [owner.user.id],
      );
      await invite(owner, 'free@example.com').expect(200);
    });

    it('is purged after a day', async () => {
      const [old, recent] = [await t.actors.user(), await t.actors.user()];
      const add = 'INSERT INTO inviter_quotas VALUES ($1, $2, 20)';
      await t.database.query(add, [old.id, addSeconds(t.clock.now(), -DAY - 1)]);
      await t.database.query(add, [recent.id, addSeconds(t.clock.now(), -DAY + MINUTE)]);
      await t.nest.get(CommandBus).execute(new PurgeInvitations());
      const left = await t.database.query<{ user_id: string }>(
        'SELECT user_id FROM inviter_quotas WHERE user_id IN ($1, $2)',
        [old.id, recent.id],
      );
      expect(left).toEqual([{ user_id: recent.id }]);
    });
  });
});
