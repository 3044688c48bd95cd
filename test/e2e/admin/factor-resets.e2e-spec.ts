import { CommandBus } from '@nestjs/cqrs';
import { CompleteFactorReset } from '../../../src/factors/commands/complete-factor-reset';
import { CompleteFactorResets } from '../../../src/factors/commands/complete-factor-resets';
import { PurgeFactorResets } from '../../../src/factors/commands/purge-factor-resets';
import { DAY, MINUTE } from '../../../src/platform/clock';
import { newId } from '../../../src/platform/ids';
import { PASSWORD, type SignedInUser } from '../../support/actors';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsDue } from '../../support/job-queue';
import { SoftwareAuthenticator } from '../../support/software-authenticator';

const REASON = 'Ticket 4713: phone lost, identity checked by video call';

describe('the reset of a lost second factor', () => {
  let t: TestApp;
  let other: TestApp;
  let asking: SignedInUser;
  let approving: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start();
    other = await TestApp.start({ beside: t });
  });
  beforeEach(async () => {
    [asking, approving] = [await t.actors.admin(), await t.actors.admin()]; // with a fresh proof
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  const request = (userId: string, by = asking, body: object = { reason: REASON }) =>
    t.api.post(`/admin/users/${userId}/factors/reset`).set(by.bearer).send(body);
  const approve = (id: string, by = approving, at = t) =>
    at.api.post(`/admin/factor-resets/${id}/approve`).set(by.bearer);
  const cancel = (id: string, by = asking) => t.api.post(`/admin/factor-resets/${id}/cancel`).set(by.bearer);
  const stop = (token: string, at = t) => at.api.post('/auth/factors/reset/stop').send({ token });
  const listed = async (query: object) =>
    (await t.api.get('/admin/factor-resets').query(query).set(asking.bearer).expect(200)).body.data.items;
  const stateOf = async (userId: string) =>
    (
      await t.database.query<{ state: string }>('SELECT state FROM factor_resets WHERE user_id = $1 ORDER BY id DESC', [
        userId,
      ])
    )[0].state;
  /** A user with a second factor. */
  const enrolled = async () => {
    const actor = await t.actors.signedInUser();
    return { actor, app: await AuthenticatorApp.enrol(t, actor), userId: actor.user.id, email: actor.user.email };
  };
  const requested = async () => {
    const target = await enrolled();
    const { body } = await request(target.userId).expect(200);
    return { ...target, id: body.data.id as string };
  };
  const approved = async () => {
    const target = await requested();
    await approve(target.id).expect(200);
    return target;
  };
  const stopToken = async (email: string) => {
    const { text } = await t.mailbox.titled(email, 'A reset of your second factor was requested');
    return /stop-factor-reset#token=([\w-]+)/.exec(text)![1];
  };
  /** What the schedule does every ten minutes, with the jobs that it starts. */
  const tick = async (at = t) => {
    await at.nest.get(CommandBus).execute(new CompleteFactorResets());
    await untilNoJobIsDue(t);
  };
  const hasFactor = async (email: string) => {
    const { body } = await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
    return body.data.secondFactor !== undefined;
  };
  const entries = (userId: string) =>
    t.database.query<{ action: string; actor_id: string | null; data: object }>(
      `SELECT action, actor_id, data FROM audit_log
        WHERE target_id = $1 AND (action LIKE 'factor-reset.%' OR action = 'second-factor.reset') ORDER BY id`,
      [userId],
    );
  const actions = async (userId: string) => (await entries(userId)).map(({ action }) => action);

  it('happens a day after the request with the approval of another operator, and ends all sessions', async () => {
    const { actor, app, userId, email } = await enrolled();
    const { body } = await request(userId).expect(200);
    const { id, requestedAt, dueAt, expiresAt } = body.data;
    const waiting = { id, userId, reason: REASON, state: 'requested', requestedBy: asking.user.id, closedAt: null };
    expect(body.data).toMatchObject(waiting);
    expect(Date.parse(dueAt) - Date.parse(requestedAt)).toBe(DAY * 1000);
    expect(Date.parse(expiresAt) - Date.parse(requestedAt)).toBe(7 * DAY * 1000);
    expect(await listed({ state: 'requested', user: userId })).toEqual([body.data]);
    const done = await approve(id).expect(200);
    expect(done.body.data).toMatchObject({ state: 'approved', approvedBy: approving.user.id });
    const ticket = (await t.api.post('/auth/login').send({ email, password: PASSWORD })).body.data.secondFactor.ticket;
    t.clock.advance(DAY - MINUTE);
    await tick();
    expect([await hasFactor(email), await stateOf(userId)]).toEqual([true, 'approved']);
    t.clock.advance(MINUTE);
    const open = await t.actors.refreshed(actor);
    await tick();
    expect(await hasFactor(email)).toBe(false);
    expect(codeOf(await t.api.get('/auth/me').set(open.bearer).expect(401))).toBe('SESSION_ENDED');
    await t.api.post('/auth/refresh').send({ refreshToken: open.refreshToken }).expect(401);
    for (const proof of [{ code: app.nextCode() }, { recoveryCode: app.recoveryCodes[0] }])
      expect(codeOf(await t.api.post('/auth/second-factor').send({ ticket, ...proof }))).toBe('TICKET_INVALID');
    await t.mailbox.titled(email, 'Your second factor was reset');
    for (const table of ['totp_factors', 'recovery_codes', 'trusted_browsers', 'sign_in_tickets'])
      expect([table, await t.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [userId])]).toEqual([table, []]);
    expect(await entries(userId)).toEqual([
      { action: 'factor-reset.requested', actor_id: asking.user.id, data: { resetId: id, reason: REASON } },
      {
        action: 'factor-reset.approved',
        actor_id: approving.user.id,
        data: { resetId: id, requestedBy: asking.user.id },
      },
      {
        action: 'second-factor.reset',
        actor_id: null,
        data: { resetId: id, requestedBy: asking.user.id, approvedBy: approving.user.id },
      },
    ]);
    const own = { ...actor, ...(await t.actors.signIn(email)) };
    await AuthenticatorApp.enrol(t, own);
    await tick(); // once
    expect(await hasFactor(email)).toBe(true);
  });

  it('removes the passkeys as well, which were on the lost device', async () => {
    const target = await enrolled();
    const authenticator = await SoftwareAuthenticator.enrol(t, await t.actors.refreshed(target.actor));
    const { body } = await request(target.userId).expect(200);
    await approve(body.data.id).expect(200);
    const use = async () => {
      const shown = (await t.api.post('/auth/passkey/options').expect(200)).body.data.options;
      return t.api.post('/auth/passkey').send({ response: authenticator.get(shown) });
    };
    expect((await use()).status).toBe(200);
    t.clock.advance(DAY);
    await tick();
    expect(codeOf(await use())).toBe('PASSKEY_UNKNOWN');
    const removed = await t.database.query<{ reason: string }>(
      `SELECT data->>'reason' AS reason FROM audit_log WHERE target_id = $1 AND action = 'passkey.removed'`,
      [target.userId],
    );
    expect(removed).toEqual([{ reason: 'factor-reset' }]);
    await t.mailbox.titled(target.email, 'Your second factor was reset');
    const subjects = t.mailbox.to(target.email).map(({ subject }) => subject);
    expect(subjects).not.toContain('A passkey was removed from your account');
  });

  it('does not happen without an approval, and the request expires after 7 days', async () => {
    const { id, userId, email } = await requested();
    t.clock.advance(6 * DAY);
    await tick();
    expect(await hasFactor(email)).toBe(true);
    t.clock.advance(DAY);
    approving = await t.actors.admin();
    expect(codeOf(await approve(id).expect(409))).toBe('CONFLICT'); // before the schedule has seen it
    await tick();
    asking = await t.actors.admin();
    expect(await stateOf(userId)).toBe('expired');
    expect(codeOf(await cancel(id).expect(409))).toBe('CONFLICT');
    expect(await actions(userId)).toEqual(['factor-reset.requested', 'factor-reset.expired']);
    await request(userId).expect(200); // another one can be made
  });

  it('keeps its attempts after it has failed', async () => {
    const { id, email } = await approved();
    const key = `complete-factor-reset:${id}`;
    const row = 'FROM graphile_worker._private_jobs WHERE key = $1';
    await t.database.query(
      `SELECT graphile_worker.add_job('complete-factor-reset', '{}', job_key => $1,
                                      run_at => now() + interval '1 hour')`,
      [key],
    );
    await t.database.query('UPDATE graphile_worker._private_jobs SET attempts = 3 WHERE key = $1', [key]);
    t.clock.advance(DAY);
    await t.nest.get(CommandBus).execute(new CompleteFactorResets());
    expect(await t.database.query(`SELECT attempts ${row}`, [key])).toEqual([{ attempts: 3 }]);
    await t.database.query(`DELETE ${row}`, [key]);
    await tick();
    expect(await hasFactor(email)).toBe(false);
  });

  it('is approved late, after the day, and then happens at once', async () => {
    const { id, email } = await requested();
    t.clock.advance(2 * DAY);
    await approve(id, await t.actors.admin()).expect(200);
    await tick();
    expect(await hasFactor(email)).toBe(false);
  });

  it('is requested by operators with a fresh proof, for others, once, and only if there is a factor', async () => {
    const { actor, userId } = await enrolled();
    expect(codeOf(await request(userId, actor).expect(403))).toBe('FORBIDDEN');
    await t.api.post(`/admin/users/${userId}/factors/reset`).send({ reason: REASON }).expect(401);
    expect(codeOf(await request(userId, asking, {}).expect(400))).toBe('VALIDATION_ERROR');
    expect(codeOf(await request(newId()).expect(404))).toBe('NOT_FOUND');
    expect(codeOf(await request((await t.actors.signedInUser()).user.id).expect(409))).toBe('CONFLICT');
    const attempts = await Promise.all([request(userId), request(userId, approving), request(userId)]);
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(codeOf(await request(userId).expect(409))).toBe('CONFLICT');
    expect(await actions(userId)).toEqual(['factor-reset.requested']);
    const { id } = (await listed({ user: userId }))[0];
    t.clock.advance(10 * MINUTE + 1);
    for (const action of [request(userId), approve(id)])
      expect(codeOf(await action.expect(403))).toBe('STEP_UP_REQUIRED');
    const revoked = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [revoked.user.id]);
    for (const action of [request(userId, revoked), approve(id, revoked), cancel(id, revoked)])
      expect(codeOf(await action.expect(403))).toBe('FORBIDDEN');
  });

  it('is approved neither by the operator who requested it, nor by the user, even as an admin', async () => {
    const admin = await t.actors.admin();
    await AuthenticatorApp.enrol(t, admin);
    expect(codeOf(await request(admin.user.id, admin).expect(403))).toBe('SECOND_OPERATOR_REQUIRED');
    const { id } = (await request(admin.user.id).expect(200)).body.data;
    expect(codeOf(await approve(id, asking).expect(403))).toBe('SECOND_OPERATOR_REQUIRED');
    expect(codeOf(await approve(id, admin).expect(403))).toBe('SECOND_OPERATOR_REQUIRED');
    expect(codeOf(await approve(newId()).expect(404))).toBe('NOT_FOUND');
    expect(await stateOf(admin.user.id)).toBe('requested');
    await approve(id).expect(200);
    const forged = t.database.query('UPDATE factor_resets SET requested_by = $2, approved_by = $2 WHERE id = $1', [
      id,
      asking.user.id,
    ]);
    await expect(forged).rejects.toThrow('factor_resets_second_operator_check');
    t.clock.advance(DAY);
    await tick();
    expect(await hasFactor(admin.user.email)).toBe(false);
  });

  it('is approved once by two operators at the same time', async () => {
    const { id, userId } = await requested();
    const third = await t.actors.admin();
    const approvals = await Promise.all([approve(id), approve(id, third, other), approve(id, approving, other)]);
    expect(approvals.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await actions(userId)).toEqual(['factor-reset.requested', 'factor-reset.approved']);
  });

  it('is canceled by any operator until it has happened', async () => {
    const { id, userId, email } = await approved();
    expect(codeOf(await cancel(newId()).expect(404))).toBe('NOT_FOUND');
    const { body } = await cancel(id, approving).expect(200);
    expect(body.data).toMatchObject({ state: 'canceled', closedBy: approving.user.id });
    expect(codeOf(await cancel(id).expect(409))).toBe('CONFLICT');
    expect(codeOf(await approve(id).expect(409))).toBe('CONFLICT');
    expect((await entries(userId)).at(-1)).toMatchObject({
      action: 'factor-reset.canceled',
      actor_id: approving.user.id,
    });
    t.clock.advance(DAY);
    await tick();
    expect(await hasFactor(email)).toBe(true);
  });

  describe('is announced to the user', () => {
    it('who stops it with the link of the email, without being signed in, once', async () => {
      const { id, userId, email } = await approved();
      const token = await stopToken(email);
      const notifications = await t.api
        .get('/notifications')
        .set((await t.actors.refreshed((await enrolled()).actor)).bearer)
        .expect(200);
      expect(notifications.body.data.items).toEqual([]); // those of others
      expect(codeOf(await stop('x'.repeat(43)).expect(400))).toBe('RESET_TOKEN_INVALID');
      await stop(token).expect(200);
      expect(codeOf(await stop(token).expect(400))).toBe('RESET_TOKEN_INVALID');
      expect((await listed({ user: userId }))[0]).toMatchObject({ id, state: 'stopped', closedBy: userId });
      expect(codeOf(await approve(id).expect(409))).toBe('CONFLICT');
      expect((await entries(userId)).at(-1)).toMatchObject({ action: 'factor-reset.stopped', actor_id: userId });
      t.clock.advance(DAY);
      await tick();
      expect(await hasFactor(email)).toBe(true);
    });

    it('with a notification, and in the list of factors, where it can be stopped too', async () => {
      const { actor, userId } = await requested();
      const { body } = await t.api.get('/notifications').set(actor.bearer).expect(200);
      const planned = (await t.api.get('/auth/factors').set(actor.bearer).expect(200)).body.data.reset;
      expect(body.data.items).toMatchObject([
        { kind: 'SecondFactorResetRequested', tenantId: null, data: { dueAt: planned.dueAt } },
      ]);
      const remove = (by: SignedInUser) => t.api.delete('/auth/factors/reset').set(by.bearer);
      expect(codeOf(await remove(await t.actors.signedInUser()).expect(404))).toBe('NOT_FOUND');
      const acting = await t.actors.impersonating(approving, actor);
      expect(codeOf(await remove(acting).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
      await remove(actor).expect(200);
      expect(codeOf(await remove(actor).expect(404))).toBe('NOT_FOUND');
      expect(await stateOf(userId)).toBe('stopped');
      expect((await t.api.get('/auth/factors').set(actor.bearer).expect(200)).body.data.reset).toBeNull();
    });

    it('whose link says that it is too late after the reset, and expires', async () => {
      const { email } = await approved();
      const token = await stopToken(email);
      t.clock.advance(DAY);
      await tick();
      expect(codeOf(await stop(token).expect(404))).toBe('NOT_FOUND');
      t.clock.advance(8 * DAY);
      expect(codeOf(await stop(token).expect(400))).toBe('RESET_TOKEN_EXPIRED');
    });

    it('and stops when the user removes the factor: a later one is not removed', async () => {
      const { actor, userId, email } = await approved();
      await t.api.delete('/auth/factors/totp').set(actor.bearer).expect(200);
      expect(await stateOf(userId)).toBe('stopped');
      await AuthenticatorApp.enrol(t, actor);
      t.clock.advance(DAY);
      await tick();
      expect(await hasFactor(email)).toBe(true);
    });

    it('and stops when the owner of the mailbox secures the account, which removes a new factor', async () => {
      const { userId, email } = await approved();
      const { text } = await t.mailbox.titled(email, 'An authenticator app was added to your account');
      const token = /secure-account#token=([\w-]+)/.exec(text)![1];
      await t.api.post('/auth/secure-account').send({ token }).expect(200);
      expect(await stateOf(userId)).toBe('stopped');
    });
  });

  it.each([1, 2, 3])('that is approved and stopped at the same time does not happen (%d)', async () => {
    const { id, userId, email } = await requested();
    const token = await stopToken(email);
    const [approval, stopped] = await Promise.all([approve(id, approving, other), stop(token)]);
    expect([stopped.status, [200, 409].includes(approval.status)]).toEqual([200, true]);
    expect(await stateOf(userId)).toBe('stopped');
    t.clock.advance(DAY);
    await tick();
    expect(await hasFactor(email)).toBe(true);
  });

  it('happens once on two instances at the same time', async () => {
    const { id, userId, email } = await approved();
    t.clock.advance(DAY);
    const complete = (at: TestApp) => at.nest.get(CommandBus).execute(new CompleteFactorReset(id));
    await Promise.all([tick(t), tick(other), complete(t), complete(other), complete(t)]);
    expect(await hasFactor(email)).toBe(false);
    expect((await actions(userId)).filter((action) => action === 'second-factor.reset')).toHaveLength(1);
    const mails = () => t.mailbox.to(email).filter(({ subject }) => subject === 'Your second factor was reset');
    await untilNoJobIsDue(t);
    expect(mails()).toHaveLength(1);
  });

  it('that is stopped while it happens either happens or not, as the answer says', async () => {
    const { id, userId, email } = await approved();
    const token = await stopToken(email);
    t.clock.advance(DAY);
    const [stopped] = await Promise.all([
      stop(token, other),
      t.nest.get(CommandBus).execute(new CompleteFactorReset(id)),
    ]);
    const expected = stopped.status === 200 ? ['stopped', true] : ['done', false];
    expect([await stateOf(userId), await hasFactor(email)]).toEqual(expected);
  });

  it('is listed newest first by state and user, to operators only, and kept for 180 days', async () => {
    const [first, second] = [await requested(), await approved()];
    await cancel(first.id).expect(200);
    const ids = (items: { id: string }[]) => items.map(({ id }) => id);
    expect(ids(await listed({ limit: 2 }))).toEqual([second.id, first.id]);
    expect(ids(await listed({ state: 'open', limit: 1 }))).toEqual([second.id]);
    expect(ids(await listed({ state: 'canceled', limit: 1 }))).toEqual([first.id]);
    expect(ids(await listed({ user: first.userId }))).toEqual([first.id]);
    const { body } = await t.api.get('/admin/factor-resets').query({ limit: 1 }).set(asking.bearer).expect(200);
    const next = await listed({ limit: 1, cursor: body.data.nextCursor });
    expect(ids(next)).toEqual([first.id]);
    await t.api.get('/admin/factor-resets').query({ state: 'lost' }).set(asking.bearer).expect(400);
    await t.api.get('/admin/factor-resets').set(first.actor.bearer).expect(403);
    t.clock.advance(8 * DAY);
    await tick();
    t.clock.advance(171 * DAY);
    const purge = () => t.nest.get(CommandBus).execute(new PurgeFactorResets());
    const left = async () => (await t.database.query('SELECT FROM factor_resets')).length;
    await purge();
    expect(await left()).toBeGreaterThanOrEqual(2);
    t.clock.advance(2 * DAY);
    await purge();
    expect(await left()).toBe(0);
  });
});
