import { newId } from '../../../src/platform/ids';
import { PASSWORD, type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { expectSessionEnd } from '../../support/session-end';

describe('sign-in help by operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start();
    admin = await t.actors.admin();
  });
  afterAll(() => t.close());

  const send = (id: string, link: string, by = admin) => t.api.post(`/admin/users/${id}/${link}`).set(by.bearer);
  const endAll = (id: string, by = admin) => t.api.delete(`/admin/users/${id}/sessions`).set(by.bearer);
  const get = async (id: string) => (await t.api.get(`/admin/users/${id}`).set(admin.bearer).expect(200)).body.data;
  const entries = (action: string, id: string) =>
    t.database.query<{ actor_id: string; data: object }>(
      'SELECT actor_id, data FROM audit_log WHERE action = $1 AND target_id = $2 ORDER BY id',
      [action, id],
    );

  it('sends a reset link that works, shows it to no one else and records it', async () => {
    const { id, email } = await t.actors.user();
    expect((await send(id, 'password-reset').expect(200)).body.data).toBeNull();
    const token = await t.mailbox.token(email);
    await t.api.post('/auth/password/reset').send({ token, password: 'another horse battery' }).expect(200);
    expect(await entries('user.link-sent', id)).toEqual([
      { actor_id: admin.user.id, data: { link: 'password-reset' } },
    ]);
  });

  it('sends a verification email that works, and none to a verified account', async () => {
    const { id, email } = await t.actors.user({ isEmailVerified: false });
    await send(id, 'verification').expect(200);
    await t.api
      .post('/auth/verify-email')
      .send({ token: await t.mailbox.token(email) })
      .expect(200);
    const again = await send(id, 'verification').expect(409);
    expect(again.body.error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('already verified') });
    expect(await entries('user.link-sent', id)).toHaveLength(1);
  });

  it('reaches the user although strangers used up the limit of the address', async () => {
    const { id, email } = await t.actors.user();
    for (let count = 1; count <= 3; count++) {
      await t.api.post('/auth/password/forgot').send({ email }).expect(200);
      await t.mailbox.last(email, count);
    }
    await send(id, 'password-reset').expect(200);
    await t.mailbox.last(email, 4);
  });

  it('refuses links for a disabled account, and unknown users', async () => {
    const { id } = await t.actors.user({ disabledAt: t.clock.now(), isEmailVerified: false });
    for (const link of ['password-reset', 'verification']) {
      expect(codeOf(await send(id, link).expect(409))).toBe('CONFLICT');
      expect(codeOf(await send(newId(), link).expect(404))).toBe('NOT_FOUND');
    }
    expect(await entries('user.link-sent', id)).toEqual([]);
  });

  it('ends all sessions of a user at once, and those of no one else', async () => {
    const actor = await t.actors.signedInUser();
    const second = await t.actors.signIn(actor.user.email);
    await endAll(actor.user.id).expect(200);
    for (const { bearer } of [actor, second]) await expectSessionEnd(() => t.api.get('/auth/me').set(bearer));
    expect((await get(actor.user.id)).sessions).toEqual([]);
    expect(await entries('user.sessions-ended', actor.user.id)).toEqual([
      { actor_id: admin.user.id, data: { sessions: 2 } },
    ]);
    await t.api.get('/auth/me').set(admin.bearer).expect(200);
    await endAll(actor.user.id).expect(200);
    expect(codeOf(await endAll(newId()).expect(404))).toBe('NOT_FOUND');
  });

  it('is refused to others, and to an admin whose access was revoked', async () => {
    const { id } = await t.actors.user();
    const former = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [former.user.id]);
    for (const by of [await t.actors.signedInUser(), former]) {
      expect(codeOf(await send(id, 'password-reset', by).expect(403))).toBe('FORBIDDEN');
      expect(codeOf(await endAll(id, by).expect(403))).toBe('FORBIDDEN');
    }
  });

  it('shows when and how a user signed in last, also after the session ended', async () => {
    const { id, email } = await t.actors.user();
    expect(await get(id)).toMatchObject({ lastSignInAt: null, lastSignInMethod: null });
    await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
    t.clock.advance(60);
    await t.api.post('/auth/magic-link/request').send({ email }).expect(200);
    await t.api
      .post('/auth/magic-link/verify')
      .send({ token: await t.mailbox.token(email) })
      .expect(200);
    await endAll(id).expect(200);
    const shown = await get(id);
    expect(shown.lastSignInMethod).toBe('magic-link');
    expect(new Date(shown.lastSignInAt).getTime()).toBeGreaterThan(t.clock.now().getTime() - 30_000);
    const listed = await t.api.get(`/admin/users?search=${email}`).set(admin.bearer).expect(200);
    expect(listed.body.data.items[0]).toMatchObject({
      lastSignInAt: shown.lastSignInAt,
      lastSignInMethod: 'magic-link',
    });
  });
});
