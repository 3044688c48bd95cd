import { CommandBus } from '@nestjs/cqrs';
import { CompleteFactorReset } from '../../../src/factors/commands/complete-factor-reset';
import { DAY } from '../../../src/platform/clock';
import type { SignedInUser } from '../../support/actors';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { FactorResets } from '../../support/factor-resets';
import { untilNoJobIsDue } from '../../support/job-queue';

describe('the reset of a lost second factor', () => {
  let t: TestApp;
  let other: TestApp;
  let resets: FactorResets;
  beforeAll(async () => {
    t = await TestApp.start();
    other = await TestApp.start({ beside: t });
  });
  beforeEach(async () => {
    resets = await FactorResets.start(t);
  });
  afterAll(async () => {
    await other.close();
    await t.close();
  });

  describe('is announced to the user', () => {
    it('who stops it with the link of the email, without being signed in, once', async () => {
      const { id, userId, email } = await resets.approved();
      const token = await resets.stopToken(email);
      const notifications = await t.api
        .get('/notifications')
        .set((await t.actors.refreshed((await resets.enrolled()).actor)).bearer)
        .expect(200);
      expect(notifications.body.data.items).toEqual([]); // those of others
      expect(codeOf(await resets.stop('x'.repeat(43)).expect(400))).toBe('RESET_TOKEN_INVALID');
      await resets.stop(token).expect(200);
      expect(codeOf(await resets.stop(token).expect(400))).toBe('RESET_TOKEN_INVALID');
      expect((await resets.listed({ user: userId }))[0]).toMatchObject({ id, state: 'stopped', closedBy: userId });
      expect(codeOf(await resets.approve(id).expect(409))).toBe('CONFLICT');
      expect((await resets.entries(userId)).at(-1)).toMatchObject({ action: 'factor-reset.stopped', actor_id: userId });
      t.clock.advance(DAY);
      await resets.tick();
      expect(await resets.hasFactor(email)).toBe(true);
    });

    it('with a notification, and in the list of factors, where it can be stopped too', async () => {
      const { actor, userId } = await resets.requested();
      const { body } = await t.api.get('/notifications').set(actor.bearer).expect(200);
      const planned = (await t.api.get('/auth/factors').set(actor.bearer).expect(200)).body.data.reset;
      expect(body.data.items).toMatchObject([
        { kind: 'SecondFactorResetRequested', tenantId: null, data: { dueAt: planned.dueAt } },
      ]);
      const remove = (by: SignedInUser) => t.api.delete('/auth/factors/reset').set(by.bearer);
      expect(codeOf(await remove(await t.actors.signedInUser()).expect(404))).toBe('NOT_FOUND');
      const acting = await t.actors.impersonating(resets.approving, actor);
      expect(codeOf(await remove(acting).expect(403))).toBe('NOT_WHILE_IMPERSONATING');
      await remove(actor).expect(200);
      expect(codeOf(await remove(actor).expect(404))).toBe('NOT_FOUND');
      expect(await resets.stateOf(userId)).toBe('stopped');
      expect((await t.api.get('/auth/factors').set(actor.bearer).expect(200)).body.data.reset).toBeNull();
    });

    it('whose link says that it is too late after the reset, and expires', async () => {
      const { email } = await resets.approved();
      const token = await resets.stopToken(email);
      t.clock.advance(DAY);
      await resets.tick();
      expect(codeOf(await resets.stop(token).expect(404))).toBe('NOT_FOUND');
      t.clock.advance(8 * DAY);
      expect(codeOf(await resets.stop(token).expect(400))).toBe('RESET_TOKEN_EXPIRED');
    });

    it('and stops when the user removes the factor: a later one is not removed', async () => {
      const { actor, userId, email } = await resets.approved();
      await t.api.delete('/auth/factors/totp').set(actor.bearer).expect(200);
      expect(await resets.stateOf(userId)).toBe('stopped');
      await AuthenticatorApp.enrol(t, actor);
      t.clock.advance(DAY);
      await resets.tick();
      expect(await resets.hasFactor(email)).toBe(true);
    });

    it('and stops when the owner of the mailbox secures the account, which removes a new factor', async () => {
      const { userId, email } = await resets.approved();
      const { text } = await t.mailbox.titled(email, 'An authenticator app was added to your account');
      const token = /secure-account#token=([\w-]+)/.exec(text)![1];
      await t.api.post('/auth/secure-account').send({ token }).expect(200);
      expect(await resets.stateOf(userId)).toBe('stopped');
    });
  });

  it('is approved once by two operators at the same time', async () => {
    const { id, userId } = await resets.requested();
    const third = await t.actors.admin();
    const approvals = await Promise.all([
      resets.approve(id),
      resets.approve(id, third, other),
      resets.approve(id, resets.approving, other),
    ]);
    expect(approvals.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await resets.actions(userId)).toEqual(['factor-reset.requested', 'factor-reset.approved']);
  });

  it.each([1, 2, 3])('that is approved and stopped at the same time does not happen (%d)', async () => {
    const { id, userId, email } = await resets.requested();
    const token = await resets.stopToken(email);
    const [approval, stopped] = await Promise.all([resets.approve(id, resets.approving, other), resets.stop(token)]);
    expect([stopped.status, [200, 409].includes(approval.status)]).toEqual([200, true]);
    expect(await resets.stateOf(userId)).toBe('stopped');
    t.clock.advance(DAY);
    await resets.tick();
    expect(await resets.hasFactor(email)).toBe(true);
  });

  it('happens once on two instances at the same time', async () => {
    const { id, userId, email } = await resets.approved();
    t.clock.advance(DAY);
    const complete = (at: TestApp) => at.nest.get(CommandBus).execute(new CompleteFactorReset(id));
    await Promise.all([resets.tick(t), resets.tick(other), complete(t), complete(other), complete(t)]);
    expect(await resets.hasFactor(email)).toBe(false);
    expect((await resets.actions(userId)).filter((action) => action === 'second-factor.reset')).toHaveLength(1);
    const mails = () => t.mailbox.to(email).filter(({ subject }) => subject === 'Your second factor was reset');
    await untilNoJobIsDue(t);
    expect(mails()).toHaveLength(1);
  });

  it('that is stopped while it happens either happens or not, as the answer says', async () => {
    const { id, userId, email } = await resets.approved();
    const token = await resets.stopToken(email);
    t.clock.advance(DAY);
    const [stopped] = await Promise.all([
      resets.stop(token, other),
      t.nest.get(CommandBus).execute(new CompleteFactorReset(id)),
    ]);
    const expected = stopped.status === 200 ? ['stopped', true] : ['done', false];
    expect([await resets.stateOf(userId), await resets.hasFactor(email)]).toEqual(expected);
  });
});
