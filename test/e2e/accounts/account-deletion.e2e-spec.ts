import { CommandBus, type Command } from '@nestjs/cqrs';
import { DeleteAccount } from '../../../src/accounts/deletion/commands/delete-account';
import { DeleteDueAccounts } from '../../../src/accounts/deletion/commands/delete-due-accounts';
import { DAY, MINUTE } from '../../../src/platform/clock';
import { PASSWORD, type Member, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';
import { EmailChanges, newAddress } from '../../support/email-changes';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsLeft } from '../../support/job-queue';

describe('an account that is due', () => {
  let t: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
    other = await TestApp.start({ beside: t });
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const run = <R>(command: Command<R>, at = t) => at.nest.get(CommandBus).execute(command);
  const request = (by: SignedInUser) => t.api.post('/users/me/deletion').set(by.bearer);
  const keep = (by: SignedInUser, at = t) => at.api.delete('/users/me/deletion').set(by.bearer);
  const signedInAgain = async <A extends SignedInUser>(actor: A): Promise<A> => ({
    ...actor,
    ...(await t.actors.signIn(actor.user.email)),
  });
  /** Passes the 14 days. @returns the user, signed in again */
  const due = async <A extends SignedInUser>(actor: A): Promise<A> => {
    await request(actor).expect(200);
    t.clock.advance(14 * DAY + MINUTE);
    return signedInAgain(actor);
  };
  const deleteDue = async () => {
    await run(new DeleteDueAccounts());
    await untilNoJobIsLeft(t);
  };
  const exists = async ({ user }: SignedInUser) =>
    (await t.database.query('SELECT FROM users WHERE id = $1', [user.id])).length === 1;
  const ownersOf = async ({ tenantId }: Member) =>
    (
      await t.database.query<{ id: string }>(
        'SELECT user_id AS id FROM memberships WHERE tenant_id = $1 AND is_owner',
        [tenantId],
      )
    ).map(({ id }) => id);
  const transfer = (owner: Member, to: Member, at = t) =>
    at.api.post('/tenants/current/ownership').set(owner.bearer).send({ userId: to.user.id });

  it('is deleted with the workspaces of its user alone, and its user can register again', async () => {
    const owner = await t.actors.owner({ email: 'gone@example.com' });
    const keeping = await t.actors.owner();
    await due(owner);
    await deleteDue();
    expect(await exists(owner)).toBe(false);
    expect(await t.database.query('SELECT FROM tenants WHERE id = $1', [owner.tenantId])).toEqual([]);
    expect(await exists(keeping)).toBe(true);
    await t.mailbox.titled('gone@example.com', 'Your account was deleted');
    expect(codeOf(await t.api.post('/auth/login').send({ email: 'gone@example.com', password: PASSWORD }))).toBe(
      'INVALID_CREDENTIALS',
    );
    const registered = { email: 'gone@example.com', password: 'another horse battery', name: 'Ada' };
    await t.api.post('/auth/register').send(registered).expect(201);
    await deleteDue();
    expect(await t.database.query('SELECT FROM users WHERE email = $1', ['gone@example.com'])).toHaveLength(1);
  });

  it('is erased under its earlier addresses, except those that now belong to another account', async () => {
    const [actor, inviting] = [await t.actors.signedInUser(), await t.actors.owner()];
    const [taken, claimed, last] = [actor.user.email, newAddress('claimed'), newAddress('last')];
    await new EmailChanges(t).change(actor, taken, claimed);
    await new EmailChanges(t).change(actor, claimed, last);
    const { user } = await t.actors.signedInUser({ email: taken });
    // whoever knows an address can register it
    await t.api.post('/auth/register').send({ email: claimed, password: PASSWORD, name: 'Eve' }).expect(201);
    const roleId = await t.actors.roleId(inviting, 'Member');
    for (const email of [taken, claimed, last])
      await t.api.post('/tenants/current/invitations').set(inviting.bearer).send({ email, roleId }).expect(200);
    await untilNoJobIsLeft(t);
    await t.database.query('UPDATE users SET deletes_at = $2 WHERE id = $1', [actor.user.id, t.clock.now()]);
    await deleteDue();
    expect([await exists(actor), await exists({ ...actor, user })]).toEqual([false, true]);
    const invited = await t.database.query('SELECT email FROM invitations WHERE tenant_id = $1', [inviting.tenantId]);
    expect(invited).toEqual([{ email: taken }]);
  });

  it('is not deleted a minute before, nor after it was kept', async () => {
    const [early, kept] = [await t.actors.signedInUser(), await t.actors.signedInUser()];
    for (const actor of [early, kept]) await request(actor).expect(200);
    t.clock.advance(14 * DAY - MINUTE);
    await deleteDue();
    expect(await exists(early)).toBe(true);
    await keep({ ...kept, ...(await t.actors.signIn(kept.user.email)) }).expect(200);
    t.clock.advance(2 * MINUTE);
    await deleteDue();
    expect([await exists(early), await exists(kept)]).toEqual([false, true]);
  });

  it('is kept if a workspace prevents the deletion meanwhile, and an email says why', async () => {
    const owner = await t.actors.owner({ tenantName: 'Growing' });
    await request(owner).expect(200);
    const member = await t.actors.member(owner);
    t.clock.advance(14 * DAY + MINUTE);
    await deleteDue();
    expect(await exists(owner)).toBe(true);
    expect((await t.mailbox.titled(owner.user.email, 'Your account was not deleted')).text).toContain('Growing');
    expect(await ownersOf(owner)).toEqual([owner.user.id]);
    const [last] = await t.database.query<{ actor: string | null; data: object }>(
      `SELECT actor_id AS actor, data FROM audit_log WHERE action = 'user.deletion-canceled' AND target_id = $1`,
      [owner.user.id],
    );
    expect(last).toEqual({ actor: null, data: { reason: 'blocked' } });
    await deleteDue();
    expect(await exists(member)).toBe(true);
  });

  it('is kept while an operator has disabled it, because a deletion would end the ban', async () => {
    const [actor, admin] = [await t.actors.signedInUser(), await t.actors.admin()];
    await request(actor).expect(200);
    await t.api.post(`/admin/users/${actor.user.id}/disable`).set(admin.bearer).send({}).expect(200);
    t.clock.advance(14 * DAY + MINUTE);
    await deleteDue();
    await run(new DeleteAccount(actor.user.id));
    expect(await exists(actor)).toBe(true);
    await t.database.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [actor.user.id]);
    await deleteDue();
    expect(await exists(actor)).toBe(false);
  });

  it('is deleted once by two instances at the same time', async () => {
    const owner = await t.actors.owner();
    await due(owner);
    const results = await Promise.all([t, other, t, other].map((at) => run(new DeleteAccount(owner.user.id), at)));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    await untilNoJobIsLeft(t);
    const entries = await t.database.query('SELECT FROM audit_log WHERE action = $1 AND target_id = $2', [
      'user.deleted',
      owner.user.id,
    ]);
    expect(entries).toHaveLength(1);
    expect(t.mailbox.to(owner.user.email).filter(({ subject }) => subject === 'Your account was deleted')).toHaveLength(
      1,
    );
  });

  it.each([
    ['kept', 200],
    ['deleted', 401],
  ])('is %s, if that and the opposite happen at the same time, and that comes first', async (first, status) => {
    const actor = await due(await t.actors.owner());
    const lock = 'SELECT FROM users WHERE id = $1 FOR UPDATE';
    const ask = async () => {
      const keeping = () => keep(actor, other).then(({ status: answer }) => answer);
      const deleting = async () => (await run(new DeleteAccount(actor.user.id))).ok;
      if (first === 'deleted') {
        const done = deleting();
        await t.database.untilWaiting(1);
        return Promise.all([keeping(), done]);
      }
      const answered = keeping();
      await t.database.untilWaiting(1);
      return Promise.all([answered, deleting()]);
    };
    expect(await t.database.inTheMidstOf(lock, [actor.user.id], ask, 2)).toEqual([status, true]);
    expect(await exists(actor)).toBe(first === 'kept');
    await untilNoJobIsLeft(t);
  });

  it('is planned, or the ownership of a workspace received, if both happen at the same time', async () => {
    for (let round = 0; round < 6; round++) {
      const owner = await t.actors.owner();
      const member = await t.actors.member(owner, 'Admin');
      const [planned, transferred] = await Promise.all([request(member), transfer(owner, member, other)]);
      expect([planned.status, transferred.status].sort()).toEqual([200, 409]);
      expect(codeOf(planned.status === 409 ? planned : transferred)).toBe(
        planned.status === 409 ? 'ACCOUNT_DELETION_BLOCKED' : 'CONFLICT',
      );
      expect(await ownersOf(owner)).toEqual([(transferred.status === 200 ? member : owner).user.id]);
    }
  });

  it('cannot be prevented by receiving the ownership of a workspace after it was planned', async () => {
    const owner = await t.actors.owner();
    const member = await t.actors.member(owner, 'Admin');
    await request(member).expect(200);
    expect((await transfer(owner, member).expect(409)).body.error.message).toContain('scheduled for deletion');
    await keep(await signedInAgain(member)).expect(200);
    await transfer(owner, member).expect(200);
  });

  it('is refused for an admin, whose traces it would erase', async () => {
    const admin = await t.actors.admin();
    const refused = await request(admin).expect(409);
    expect([codeOf(refused), refused.body.error.message]).toEqual([
      'ACCOUNT_DELETION_BLOCKED',
      'An account with admin access cannot be deleted. Ask another admin to revoke the access first.',
    ]);
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [admin.user.id]);
    await request(admin).expect(200);
  });

  it('refuses a sign-in that happens at the same time, or ends its session', async () => {
    for (let round = 0; round < 4; round++) {
      const actor = await t.actors.signedInUser();
      await due(actor);
      const credentials = { email: actor.user.email, password: PASSWORD };
      const [signedIn] = await Promise.all([
        other.api.post('/auth/login').send(credentials),
        run(new DeleteAccount(actor.user.id)),
      ]);
      expect(await exists(actor)).toBe(false);
      expect([200, 401]).toContain(signedIn.status);
      if (signedIn.status === 401) expect(codeOf(signedIn)).toBe('INVALID_CREDENTIALS');
      else {
        const { refreshToken } = (signedIn.body as { data: { refreshToken: string } }).data;
        await t.api.post('/auth/refresh').send({ refreshToken }).expect(401);
      }
    }
    await untilNoJobIsLeft(t);
  });
});
