import { CommandBus } from '@nestjs/cqrs';
import { CompleteFactorResets } from '../../../src/factors/commands/complete-factor-resets';
import { PurgeFactorResets } from '../../../src/factors/commands/purge-factor-resets';
import { DAY, MINUTE } from '../../../src/platform/clock';
import { newId } from '../../../src/platform/ids';
import { PASSWORD } from '../../support/actors';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { FactorResets, REASON } from '../../support/factor-resets';
import { SoftwareAuthenticator } from '../../support/software-authenticator';
import { expectSessionEnd } from '../../support/session-end';

describe('the reset of a lost second factor', () => {
  let t: TestApp;
  let resets: FactorResets;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  beforeEach(async () => {
    resets = await FactorResets.start(t);
  });
  afterAll(() => t.close());

  it('happens a day after the request with the approval of another operator, and ends all sessions', async () => {
    const { actor, app, userId, email } = await resets.enrolled();
    const { body } = await resets.request(userId).expect(200);
    const { id, requestedAt, dueAt, expiresAt } = body.data;
    const waiting = {
      id,
      userId,
      reason: REASON,
      state: 'requested',
      requestedBy: resets.asking.user.id,
      closedAt: null,
    };
    expect(body.data).toMatchObject(waiting);
    expect(Date.parse(dueAt) - Date.parse(requestedAt)).toBe(DAY * 1000);
    expect(Date.parse(expiresAt) - Date.parse(requestedAt)).toBe(7 * DAY * 1000);
    expect(await resets.listed({ state: 'requested', user: userId })).toEqual([body.data]);
    const done = await resets.approve(id).expect(200);
    expect(done.body.data).toMatchObject({ state: 'approved', approvedBy: resets.approving.user.id });
    const ticket = (await t.api.post('/auth/login').send({ email, password: PASSWORD })).body.data.secondFactor.ticket;
    t.clock.advance(DAY - MINUTE);
    await resets.tick();
    expect([await resets.hasFactor(email), await resets.stateOf(userId)]).toEqual([true, 'approved']);
    t.clock.advance(MINUTE);
    const open = await t.actors.refreshed(actor);
    await resets.tick();
    expect(await resets.hasFactor(email)).toBe(false);
    await expectSessionEnd(() => t.api.get('/auth/me').set(open.bearer));
    await t.api.post('/auth/refresh').send({ refreshToken: open.refreshToken }).expect(401);
    for (const proof of [{ code: app.nextCode() }, { recoveryCode: app.recoveryCodes[0] }])
      expect(codeOf(await t.api.post('/auth/second-factor').send({ ticket, ...proof }))).toBe('TICKET_INVALID');
    await t.mailbox.titled(email, 'Your second factor was reset');
    for (const table of ['totp_factors', 'recovery_codes', 'trusted_browsers', 'sign_in_tickets'])
      expect([table, await t.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [userId])]).toEqual([table, []]);
    expect(await resets.entries(userId)).toEqual([
      { action: 'factor-reset.requested', actor_id: resets.asking.user.id, data: { resetId: id, reason: REASON } },
      {
        action: 'factor-reset.approved',
        actor_id: resets.approving.user.id,
        data: { resetId: id, requestedBy: resets.asking.user.id },
      },
      {
        action: 'second-factor.reset',
        actor_id: null,
        data: { resetId: id, requestedBy: resets.asking.user.id, approvedBy: resets.approving.user.id },
      },
    ]);
    const own = { ...actor, ...(await t.actors.signIn(email)) };
    await AuthenticatorApp.enrol(t, own);
    await resets.tick(); // once
    expect(await resets.hasFactor(email)).toBe(true);
  });

  it('removes the passkeys as well, which were on the lost device', async () => {
    const target = await resets.enrolled();
    const authenticator = await SoftwareAuthenticator.enrol(t, await t.actors.refreshed(target.actor));
    const { body } = await resets.request(target.userId).expect(200);
    await resets.approve(body.data.id).expect(200);
    const use = async () => {
      const shown = (await t.api.post('/auth/passkey/options').expect(200)).body.data.options;
      return t.api.post('/auth/passkey').send({ response: authenticator.get(shown) });
    };
    expect((await use()).status).toBe(200);
    t.clock.advance(DAY);
    await resets.tick();
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
    const { id, userId, email } = await resets.requested();
    t.clock.advance(6 * DAY);
    await resets.tick();
    expect(await resets.hasFactor(email)).toBe(true);
    t.clock.advance(DAY);
    resets.approving = await t.actors.admin();
    expect(codeOf(await resets.approve(id).expect(409))).toBe('CONFLICT'); // before the schedule has seen it
    await resets.tick();
    resets.asking = await t.actors.admin();
    expect(await resets.stateOf(userId)).toBe('expired');
    expect(codeOf(await resets.cancel(id).expect(409))).toBe('CONFLICT');
    expect(await resets.actions(userId)).toEqual(['factor-reset.requested', 'factor-reset.expired']);
    await resets.request(userId).expect(200); // another one can be made
  });

  it('keeps its attempts after it has failed', async () => {
    const { id, email } = await resets.approved();
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
    await resets.tick();
    expect(await resets.hasFactor(email)).toBe(false);
  });

  it('is approved late, after the day, and then happens at once', async () => {
    const { id, email } = await resets.requested();
    t.clock.advance(2 * DAY);
    await resets.approve(id, await t.actors.admin()).expect(200);
    await resets.tick();
    expect(await resets.hasFactor(email)).toBe(false);
  });

  it('is requested by operators with a fresh proof, for others, once, and only if there is a factor', async () => {
    const { actor, userId } = await resets.enrolled();
    expect(codeOf(await resets.request(userId, actor).expect(403))).toBe('FORBIDDEN');
    await t.api.post(`/admin/users/${userId}/factors/reset`).send({ reason: REASON }).expect(401);
    expect(codeOf(await resets.request(userId, resets.asking, {}).expect(400))).toBe('VALIDATION_ERROR');
    expect(codeOf(await resets.request(newId()).expect(404))).toBe('NOT_FOUND');
    expect(codeOf(await resets.request((await t.actors.signedInUser()).user.id).expect(409))).toBe('CONFLICT');
    const attempts = await Promise.all([
      resets.request(userId),
      resets.request(userId, resets.approving),
      resets.request(userId),
    ]);
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(codeOf(await resets.request(userId).expect(409))).toBe('CONFLICT');
    expect(await resets.actions(userId)).toEqual(['factor-reset.requested']);
    const { id } = (await resets.listed({ user: userId }))[0];
    t.clock.advance(10 * MINUTE + 1);
    for (const action of [resets.request(userId), resets.approve(id)])
      expect(codeOf(await action.expect(403))).toBe('STEP_UP_REQUIRED');
    const revoked = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [revoked.user.id]);
    for (const action of [resets.request(userId, revoked), resets.approve(id, revoked), resets.cancel(id, revoked)])
      expect(codeOf(await action.expect(403))).toBe('FORBIDDEN');
  });

  it('is approved neither by the operator who requested it, nor by the user, even as an admin', async () => {
    const admin = await t.actors.admin();
    await AuthenticatorApp.enrol(t, admin);
    expect(codeOf(await resets.request(admin.user.id, admin).expect(403))).toBe('SECOND_OPERATOR_REQUIRED');
    const { id } = (await resets.request(admin.user.id).expect(200)).body.data;
    expect(codeOf(await resets.approve(id, resets.asking).expect(403))).toBe('SECOND_OPERATOR_REQUIRED');
    expect(codeOf(await resets.approve(id, admin).expect(403))).toBe('SECOND_OPERATOR_REQUIRED');
    expect(codeOf(await resets.approve(newId()).expect(404))).toBe('NOT_FOUND');
    expect(await resets.stateOf(admin.user.id)).toBe('requested');
    await resets.approve(id).expect(200);
    const forged = t.database.query('UPDATE factor_resets SET requested_by = $2, approved_by = $2 WHERE id = $1', [
      id,
      resets.asking.user.id,
    ]);
    await expect(forged).rejects.toThrow('factor_resets_second_operator_check');
    t.clock.advance(DAY);
    await resets.tick();
    expect(await resets.hasFactor(admin.user.email)).toBe(false);
  });

  it('is canceled by any operator until it has happened', async () => {
    const { id, userId, email } = await resets.approved();
    expect(codeOf(await resets.cancel(newId()).expect(404))).toBe('NOT_FOUND');
    const { body } = await resets.cancel(id, resets.approving).expect(200);
    expect(body.data).toMatchObject({ state: 'canceled', closedBy: resets.approving.user.id });
    expect(codeOf(await resets.cancel(id).expect(409))).toBe('CONFLICT');
    expect(codeOf(await resets.approve(id).expect(409))).toBe('CONFLICT');
    expect((await resets.entries(userId)).at(-1)).toMatchObject({
      action: 'factor-reset.canceled',
      actor_id: resets.approving.user.id,
    });
    t.clock.advance(DAY);
    await resets.tick();
    expect(await resets.hasFactor(email)).toBe(true);
  });

  it('is listed newest first by state and user, to operators only, and kept for 180 days', async () => {
    const [first, second] = [await resets.requested(), await resets.approved()];
    await resets.cancel(first.id).expect(200);
    const ids = (items: { id: string }[]) => items.map(({ id }) => id);
    expect(ids(await resets.listed({ limit: 2 }))).toEqual([second.id, first.id]);
    expect(ids(await resets.listed({ state: 'open', limit: 1 }))).toEqual([second.id]);
    expect(ids(await resets.listed({ state: 'canceled', limit: 1 }))).toEqual([first.id]);
    expect(ids(await resets.listed({ user: first.userId }))).toEqual([first.id]);
    const { body } = await t.api.get('/admin/factor-resets').query({ limit: 1 }).set(resets.asking.bearer).expect(200);
    const next = await resets.listed({ limit: 1, cursor: body.data.nextCursor });
    expect(ids(next)).toEqual([first.id]);
    await t.api.get('/admin/factor-resets').query({ state: 'lost' }).set(resets.asking.bearer).expect(400);
    await t.api.get('/admin/factor-resets').set(first.actor.bearer).expect(403);
    t.clock.advance(8 * DAY);
    await resets.tick();
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
