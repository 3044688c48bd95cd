import { CommandBus } from '@nestjs/cqrs';
import { PurgeExpired } from '../../../src/auth/commands/purge-expired';
import { MINUTE } from '../../../src/platform/clock';
import { bearer, PASSWORD, type Bearer, type Member, type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { EventStream } from '../../support/event-stream';
import { eventually } from '../../support/eventually';
import { expectSessionEnd } from '../../support/session-end';

/** One second, plus the time of a request of the test on a busy machine. */
const A_SECOND_MS = 1000;

describe('a revoked session', () => {
  let t: TestApp;
  let second: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
    second = await TestApp.start({ beside: t });
  });
  afterAll(async () => {
    await second.close();
    await t.close();
  });

  const me = (user: Bearer, at = t) => at.api.get('/auth/me').set(user.bearer);
  const logOut = (actor: SignedInUser, at = t) =>
    at.api.post('/auth/logout').send({ refreshToken: actor.refreshToken }).expect(200);
  /** Asserts that both instances refuse the token within a second. */
  const isRefused = async (user: Bearer) => {
    for (const at of [t, second]) await expectSessionEnd(() => me(user, at));
  };
  const areServed = async (...users: Bearer[]) => {
    for (const user of users) for (const at of [t, second]) await me(user, at).expect(200);
  };
  const again = async (actor: SignedInUser) => ({ ...actor, ...(await t.actors.signIn(actor.user.email)) });

  describe('is refused on every instance within a second', () => {
    it('after signing out, with all tokens of the last 15 minutes; other sessions of the user continue', async () => {
      const actor = await t.actors.signedInUser();
      const other = await again(actor);
      const next = await t.actors.refreshed(actor);
      await areServed(actor, next, other);
      await logOut(next, second);
      await isRefused(actor);
      await isRefused(next);
      await areServed(other);
    });

    it('after the user, an admin or a password change ended it', async () => {
      const actor = await t.actors.signedInUser();
      const admin = await t.actors.admin();
      const [phone, tablet, laptop] = [await again(actor), await again(actor), await again(actor)];
      const ids = (await t.api.get('/auth/sessions').set(actor.bearer).expect(200)).body.data.items.map(
        ({ id }: { id: string }) => id,
      ) as string[];
      await t.api.delete(`/auth/sessions/${ids[2]}`).set(actor.bearer).expect(200);
      await isRefused(phone);
      await t.api.delete(`/admin/users/${actor.user.id}/sessions/${ids[1]}`).set(admin.bearer).expect(200);
      await isRefused(tablet);
      await t.api
        .put('/auth/password')
        .set(actor.bearer)
        .send({ currentPassword: PASSWORD, newPassword: 'a wholly new one' })
        .expect(200);
      await isRefused(laptop);
      await areServed(actor, admin);
    });

    it('after a password reset', async () => {
      const actor = await t.actors.signedInUser();
      await t.api.post('/auth/password/forgot').send({ email: actor.user.email }).expect(200);
      const token = await t.mailbox.token(actor.user.email);
      await t.api.post('/auth/password/reset').send({ token, password: 'a wholly new one' }).expect(200);
      await isRefused(actor);
    });

    it('after reuse of a refresh token', async () => {
      const actor = await t.actors.signedInUser();
      const next = await t.actors.refreshed(actor);
      await t.api.post('/auth/refresh').send({ refreshToken: actor.refreshToken }).expect(401);
      await isRefused(next);
    });

    it('after the account was disabled, and a new one is accepted as soon as it is enabled', async () => {
      const [admin, actor] = [await t.actors.admin(), await t.actors.signedInUser()];
      await t.api.post(`/admin/users/${actor.user.id}/disable`).set(admin.bearer).expect(200);
      await isRefused(actor);
      await t.api.post(`/admin/users/${actor.user.id}/enable`).set(admin.bearer).expect(200);
      await areServed(await again(actor));
      expect(codeOf(await me(actor).expect(401))).toBe('SESSION_ENDED');
    });

    it('after very many refreshes, with all access tokens of the user, so that other sessions refresh', async () => {
      let actor = await t.actors.signedInUser();
      const other = await again(actor);
      const first = actor;
      for (let i = 0; i < 201; i++) actor = await t.actors.refreshed(actor);
      await logOut(actor);
      await isRefused(first);
      await isRefused(actor);
      await isRefused(other);
      await areServed(await t.actors.refreshed(other));
    });

    it('by an instance that starts afterwards', async () => {
      const actor = await t.actors.signedInUser();
      const other = await again(actor);
      await logOut(actor);
      const third = await TestApp.start({ beside: t });
      expect(codeOf(await me(actor, third).expect(401))).toBe('SESSION_ENDED');
      await me(other, third).expect(200);
      await third.close();
    });
  });

  describe('with an impersonation', () => {
    it('ends the impersonation of the admin', async () => {
      const [admin, owner] = [await t.actors.admin(), await t.actors.owner()];
      const acting = await t.actors.impersonating(admin, owner);
      await areServed(acting);
      await logOut(admin);
      await isRefused(acting);
      await areServed(owner);
      const begin = t.api.post(`/admin/users/${owner.user.id}/impersonate`).set(admin.bearer).send({});
      expect(codeOf(await begin.expect(401))).toBe('SESSION_ENDED');
    });

    it('ends the impersonation and its streams, also with more tokens than are revoked one by one', async () => {
      let admin = await t.actors.admin();
      const owner = await t.actors.owner();
      const other = await t.actors.impersonating(await t.actors.admin(), owner);
      const acting = await t.actors.impersonating(admin, owner);
      for (let i = 0; i < 201; i++) admin = await t.actors.refreshed(admin);
      const stream = await EventStream.open(second.address, acting.bearer);
      await logOut(admin);
      await isRefused(acting);
      await stream.untilEnded();
      await areServed(owner, other);
    });

    it('ends the impersonation when the user or the admin is disabled', async () => {
      const [admin, other] = [await t.actors.admin(), await t.actors.admin()];
      const [owner, member] = [await t.actors.owner(), await t.actors.signedInUser()];
      const disable = (actor: SignedInUser) =>
        t.api.post(`/admin/users/${actor.user.id}/disable`).set(other.bearer).expect(200);
      const [first, following] = [
        await t.actors.impersonating(admin, owner),
        await t.actors.impersonating(admin, member),
      ];
      await disable(owner);
      await isRefused(first);
      await areServed(following);
      await disable(admin);
      await isRefused(following);
    });
  });

  describe('for one tenant only', () => {
    /** The same session in the user's own tenant. */
    const elsewhere = async (member: Member) => {
      const other = (await t.api.post('/tenants').set(member.bearer).send({ name: 'Elsewhere' }).expect(200)).body
        .data as { id: string };
      const { body } = await t.api
        .post('/auth/switch-tenant')
        .set(member.bearer)
        .send({ tenantId: other.id })
        .expect(200);
      return { ...member, tenantId: other.id, bearer: bearer(body.data.accessToken) };
    };

    it('is refused after the membership ended, also for impersonations, and continues in another tenant', async () => {
      const [admin, owner] = [await t.actors.admin(), await t.actors.owner()];
      const member = await t.actors.member(owner);
      const acting = await t.actors.impersonating(admin, member);
      const there = await elsewhere(member);
      await t.api.delete(`/tenants/current/members/${member.user.id}`).set(owner.bearer).expect(200);
      await isRefused(member);
      await isRefused(acting);
      await areServed(there, owner, admin);
      await areServed(await t.actors.refreshed(member));
    });

    it('is accepted again when the user joins again', async () => {
      const owner = await t.actors.owner();
      const guest = await t.actors.owner();
      const join = async (mails: number) => {
        await t.api
          .post('/tenants/current/invitations')
          .set(owner.bearer)
          .send({ email: guest.user.email })
          .expect(200);
        await t.api
          .post('/invitations/accept')
          .set(guest.bearer)
          .send({ token: await t.mailbox.token(guest.user.email, mails) })
          .expect(200);
        const switching = t.api.post('/auth/switch-tenant').set(guest.bearer).send({ tenantId: owner.tenantId });
        return { bearer: bearer((await switching.expect(200)).body.data.accessToken) };
      };
      const inside = await join(1);
      await t.api.delete(`/tenants/current/members/${guest.user.id}`).set(owner.bearer).expect(200);
      await isRefused(inside);
      await areServed(await join(2));
      expect(codeOf(await me(inside).expect(401))).toBe('SESSION_ENDED');
    });

    it('is refused after the tenant was deleted', async () => {
      const owner = await t.actors.owner();
      const member = await t.actors.member(owner);
      const there = await elsewhere(owner);
      await t.api.delete('/tenants/current').set(owner.bearer).expect(200);
      await isRefused(owner);
      await isRefused(member);
      await areServed(there, await t.actors.refreshed(member));
    });
  });

  it('cannot end new sessions or use routes that need a live session, even before the revocation arrives', async () => {
    const owner = await t.actors.owner({ plan: 'Pro' });
    const project = (await t.api.post('/tenants/current/projects').set(owner.bearer).send({ name: 'Loom' }).expect(200))
      .body.data as { id: string };
    // Revoked in the database without a notification, as in the moment before it arrives.
    await t.database.query('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [owner.user.id]);
    const fresh = await again(owner);
    await me(owner).expect(200);
    for (const [method, path, body] of [
      ['delete', '/auth/sessions', undefined],
      ['put', '/auth/password', { currentPassword: PASSWORD, newPassword: 'a wholly new one' }],
      ['post', '/auth/switch-tenant', { tenantId: owner.tenantId }],
      ['post', '/tenants/current/ownership', { userId: owner.user.id }],
      ['delete', `/tenants/current/projects/${project.id}`, undefined],
      ['delete', '/tenants/current', undefined],
    ] as const) {
      const refused = await t.api[method](path).set(owner.bearer).send(body);
      expect([path, refused.status, codeOf(refused)]).toEqual([path, 401, 'SESSION_ENDED']);
    }
    await t.actors.refreshed(fresh);
    await t.api.delete(`/tenants/current/projects/${project.id}`).set(fresh.bearer).expect(200);
    await t.api.delete('/auth/sessions').set(fresh.bearer).expect(200);
  });

  it('closes its streams, and no others, on every instance within a second', async () => {
    const owner = await t.actors.owner();
    const other = await again(owner);
    const streams = [
      await EventStream.open(t.address, owner.bearer),
      await EventStream.open(second.address, owner.bearer),
    ];
    const untouched = await EventStream.open(second.address, other.bearer);
    await logOut(owner);
    for (const stream of streams)
      await eventually(() => stream.ended || undefined, 'the end of the stream', A_SECOND_MS);
    expect(untouched.ended).toBe(false);
    untouched.close();
    const refused = await EventStream.open(second.address, owner.bearer);
    await refused.untilEnded();
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([401, 'SESSION_ENDED']);
  });

  it('has its revocation purged when its access tokens have expired', async () => {
    const actor = await t.actors.signedInUser();
    await logOut(actor);
    await isRefused(actor);
    t.clock.advance(16 * MINUTE);
    expect(codeOf(await me(actor).expect(401))).toBe('ACCESS_TOKEN_EXPIRED');
    const rows = () => t.database.query('SELECT FROM access_revocations');
    expect(await rows()).not.toEqual([]);
    await t.nest.get(CommandBus).execute(new PurgeExpired());
    expect(await rows()).toEqual([]);
  });
});
