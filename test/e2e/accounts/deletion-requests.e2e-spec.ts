import { CommandBus } from '@nestjs/cqrs';
import { RemindOfAccountDeletions } from '../../../src/accounts/deletion/commands/remind-of-account-deletions';
import { DAY, MINUTE } from '../../../src/platform/clock';
import type { Bearer, Member, SignedInUser } from '../../support/actors';
import { mailedDay } from '../../support/mailed-day';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsLeft } from '../../support/job-queue';

const PLANNED = 'Your account will be deleted';
const NEAR = 'Your account will be deleted in three days';

describe('the deletion of an account', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const request = (by: Bearer) => t.api.post('/users/me/deletion').set(by.bearer);
  const keep = (by: Bearer) => t.api.delete('/users/me/deletion').set(by.bearer);
  const meaning = async (by: Bearer) => (await t.api.get('/users/me/deletion').set(by.bearer).expect(200)).body.data;
  const me = async (by: Bearer) => (await t.api.get('/auth/me').set(by.bearer).expect(200)).body.data;
  const actionsOf = async ({ user }: SignedInUser) =>
    t.database.query<{ action: string; data: object }>(
      `SELECT action, data FROM audit_log WHERE target_id = $1 AND action LIKE 'user.deletion-%' ORDER BY id`,
      [user.id],
    );
  const subjects = (email: string) => t.mailbox.to(email).map(({ subject }) => subject);
  const remind = async () => {
    await t.nest.get(CommandBus).execute(new RemindOfAccountDeletions());
    await untilNoJobIsLeft(t);
  };
  const subscribe = (tenantId: string, status: string) =>
    t.database.query(
      `INSERT INTO subscriptions (tenant_id, plan, status, processor_subscription_id, processor_status, updated_at)
       VALUES ($1::uuid, 'Pro', 'Active', 'sub_' || $1::uuid, $2, now())
       ON CONFLICT (tenant_id) DO UPDATE SET processor_status = excluded.processor_status`,
      [tenantId, status],
    );

  it('is planned in 14 days, ends all sessions, and tells the user', async () => {
    const actor = await t.actors.signedInUser();
    const elsewhere = await t.actors.signIn(actor.user.email);
    const deletesAt = new Date(t.clock.now().getTime() + 14 * DAY * 1000);
    const { body } = await request(actor).expect(200);
    expect(Math.abs(new Date(body.data.deletesAt).getTime() - deletesAt.getTime())).toBeLessThan(10_000);
    for (const { refreshToken } of [actor, elsewhere])
      await t.api.post('/auth/refresh').send({ refreshToken }).expect(401);
    const { text } = await t.mailbox.titled(actor.user.email, PLANNED);
    expect(text).toContain(`deleted on ${mailedDay(body.data.deletesAt)} at `);
    expect(text).toContain('/secure-account#token=');
    expect(await actionsOf(actor)).toEqual([
      { action: 'user.deletion-requested', data: { deletesAt: body.data.deletesAt } },
    ]);
  });

  it('is shown after the next sign-in, and kept by asking again', async () => {
    const actor = await t.actors.signedInUser();
    expect((await me(actor)).deletesAt).toBeNull();
    const { deletesAt } = (await request(actor).expect(200)).body.data;
    t.clock.advance(DAY);
    const again = await t.actors.signIn(actor.user.email);
    expect((await me(again)).deletesAt).toBe(deletesAt);
    expect((await meaning(again)).deletesAt).toBe(deletesAt);
    expect((await request(again).expect(200)).body.data.deletesAt).toBe(deletesAt);
    await untilNoJobIsLeft(t);
    expect(subjects(actor.user.email).filter((subject) => subject === PLANNED)).toHaveLength(1);
    expect(await actionsOf(actor)).toHaveLength(1);
  });

  it('is shown to operators', async () => {
    const [actor, admin] = [await t.actors.signedInUser(), await t.actors.admin()];
    const shown = async () =>
      (await t.api.get(`/admin/users/${actor.user.id}`).set(admin.bearer).expect(200)).body.data.deletesAt;
    expect(await shown()).toBeNull();
    const { deletesAt } = (await request(actor).expect(200)).body.data;
    expect(await shown()).toBe(deletesAt);
  });

  it('is canceled by the user, once', async () => {
    const actor = await t.actors.signedInUser();
    await request(actor).expect(200);
    const again = { ...actor, ...(await t.actors.signIn(actor.user.email)) };
    await keep(again).expect(200);
    await keep(again).expect(200);
    expect((await me(again)).deletesAt).toBeNull();
    expect((await actionsOf(actor)).map(({ action, data }) => [action, data])).toEqual([
      ['user.deletion-requested', expect.anything()],
      ['user.deletion-canceled', { reason: 'kept' }],
    ]);
  });

  it('is canceled by "This was not me", also with the link in the email about it', async () => {
    const actor = await t.actors.signedInUser();
    await request(actor).expect(200);
    const { text } = await t.mailbox.titled(actor.user.email, PLANNED);
    const token = /secure-account#token=([\w-]+)/.exec(text)![1];
    await t.api.post('/auth/secure-account').send({ token }).expect(200);
    const [{ deletes_at }] = await t.database.query<{ deletes_at: Date | null }>(
      'SELECT deletes_at FROM users WHERE id = $1',
      [actor.user.id],
    );
    expect(deletes_at).toBeNull();
    expect((await actionsOf(actor)).at(-1)).toEqual({
      action: 'user.deletion-canceled',
      data: { reason: 'account-secured' },
    });
  });

  it('needs a fresh proof of the identity, and is refused while impersonating', async () => {
    const actor = await t.actors.signedInUser();
    t.clock.advance(10 * MINUTE + 1);
    const older = await t.actors.refreshed(actor);
    expect(codeOf(await request(older).expect(403))).toBe('STEP_UP_REQUIRED');
    await t.actors.stepUp(older);
    await request(older).expect(200);
    const [admin, other] = [await t.actors.admin(), await t.actors.signedInUser()];
    const acting = await t.actors.impersonating(admin, other);
    for (const refused of [request(acting), keep(acting), t.api.get('/users/me/deletion').set(acting.bearer)])
      expect(codeOf(await refused.expect(403))).toBe('NOT_WHILE_IMPERSONATING');
    expect((await me(other)).deletesAt).toBeNull();
  });

  it('is refused while the user owns workspaces with other members or a live subscription', async () => {
    const owner: Member = await t.actors.owner({ tenantName: 'Alone' });
    expect(await meaning(owner)).toEqual({
      deletesAt: null,
      blockers: [],
      deletedTenants: [{ tenantId: owner.tenantId, name: 'Alone' }],
    });
    await subscribe(owner.tenantId, 'active');
    expect((await meaning(owner)).blockers).toEqual([
      { tenantId: owner.tenantId, name: 'Alone', reason: 'subscription' },
    ]);
    expect(codeOf(await request(owner).expect(409))).toBe('ACCOUNT_DELETION_BLOCKED');
    await subscribe(owner.tenantId, 'canceled');
    const member = await t.actors.member(owner, 'Admin');
    expect((await meaning(owner)).blockers).toEqual([{ tenantId: owner.tenantId, name: 'Alone', reason: 'members' }]);
    expect(codeOf(await request(owner).expect(409))).toBe('ACCOUNT_DELETION_BLOCKED');
    expect(await actionsOf(owner)).toEqual([]);
    expect(await meaning(member)).toEqual({ deletesAt: null, blockers: [], deletedTenants: [] });
    await t.api.post('/tenants/current/ownership').set(owner.bearer).send({ userId: member.user.id }).expect(200);
    expect((await meaning(member)).blockers).toHaveLength(1);
    await request(owner).expect(200);
  });

  it('is announced again three days before, once, unless the account is kept', async () => {
    const [leaving, staying] = [await t.actors.signedInUser(), await t.actors.signedInUser()];
    for (const actor of [leaving, staying]) await request(actor).expect(200);
    t.clock.advance(11 * DAY - MINUTE);
    await remind();
    expect(subjects(leaving.user.email)).not.toContain(NEAR);
    await keep(await t.actors.signIn(staying.user.email)).expect(200);
    t.clock.advance(2 * MINUTE);
    await Promise.all([remind(), remind()]);
    await remind();
    expect(subjects(leaving.user.email).filter((subject) => subject === NEAR)).toHaveLength(1);
    expect(subjects(staying.user.email)).not.toContain(NEAR);
  });
});
