import { QueryBus } from '@nestjs/cqrs';
import type { Actor } from '../../../src/http/access/actor';
import { ListNotifications } from '../../../src/notifications/queries/list-notifications';
import { PASSWORD, type Member, type SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';

describe('notifications', () => {
  let t: TestApp;
  let serial = 0;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const invite = (by: Member, email = `n${++serial}@example.com`) =>
    t.api.post('/tenants/current/invitations').set(by.bearer).send({ email }).expect(200);
  /** Sends an invitation as an Admin, which notifies the Owner. */
  const inviteFor = async (owner: Member, times = 1) => {
    const admin = await t.actors.member(owner, 'Admin');
    for (let i = 0; i < times; i++) await invite(admin);
  };
  const list = async (by: SignedInUser, query = '') =>
    (await t.api.get(`/notifications${query}`).set(by.bearer).expect(200)).body.data;
  const count = async (by: SignedInUser) =>
    (await t.api.get('/notifications/unread-count').set(by.bearer).expect(200)).body.data.count as number;

  it('inform the Owner and the invited user about an invitation, in any tenant', async () => {
    const owner = await t.actors.owner({ tenantName: 'Engines' });
    const admin = await t.actors.member(owner, 'Admin');
    const guest = await t.actors.owner({ tenantName: 'Elsewhere' });
    const homeless = await t.actors.signedInUser();
    const { body } = await invite(admin, guest.user.email);
    await invite(admin, homeless.user.email);
    expect((await list(owner)).items[1]).toEqual({
      id: expect.any(String),
      tenantId: owner.tenantId,
      kind: 'MemberInvited',
      data: { invitationId: body.data.id, role: 'Member', email: guest.user.email },
      createdAt: expect.any(String),
      readAt: null,
    });
    for (const user of [guest, homeless]) {
      expect((await list(user)).items).toEqual([
        expect.objectContaining({
          tenantId: null,
          kind: 'InvitationReceived',
          data: { invitationId: expect.any(String), role: 'Member', tenantId: owner.tenantId, tenantName: 'Engines' },
        }),
      ]);
    }
    expect((await list(admin)).items).toEqual([]);
  });

  it("of an Owner's own invitation are read from the beginning, unless the address has an account", async () => {
    const owner = await t.actors.owner();
    const guest = await t.actors.signedInUser();
    await invite(owner, 'stranger@example.com');
    await invite(owner, guest.user.email);
    const data = expect.objectContaining({ email: 'stranger@example.com' });
    const readAt = expect.any(String);
    expect((await list(owner)).items).toEqual([expect.objectContaining({ kind: 'MemberInvited', data, readAt })]);
    expect(await count(owner)).toBe(0);
    expect(await count(guest)).toBe(1);
  });

  it('tell the inviter and the Owner that a member joined, but nobody about their own actions', async () => {
    const owner = await t.actors.owner();
    const admin = await t.actors.member(owner, 'Admin');
    const [guest, email] = [await t.actors.signedInUser({ name: 'Grace' }), 'new-here@example.com'];
    await invite(admin, guest.user.email);
    await t.api
      .post('/invitations/accept')
      .set(guest.bearer)
      .send({ token: await t.mailbox.token(guest.user.email) })
      .expect(200);
    const data = { userId: guest.user.id, name: 'Grace', email: guest.user.email, role: 'Member' };
    const joined = expect.objectContaining({ kind: 'MemberJoined', tenantId: owner.tenantId, data });
    expect((await list(admin)).items).toEqual([joined]);
    expect((await list(owner)).items).toEqual([joined, expect.objectContaining({ kind: 'MemberInvited' })]);
    await invite(owner, email);
    const registration = { token: await t.mailbox.token(email), name: 'New', password: PASSWORD };
    await t.api.post('/invitations/register').send(registration).expect(200);
    const [latest, ...before] = (await list(owner)).items;
    expect(latest).toMatchObject({ kind: 'MemberJoined', data: { name: 'New', email } });
    expect(before.map(({ readAt }: { readAt: string | null }) => readAt)).toEqual([expect.any(String), null, null]);
    expect((await list(admin)).items).toHaveLength(1);
    expect((await list(guest)).items.map(({ kind }: { kind: string }) => kind)).toEqual(['InvitationReceived']);
  });

  it('belong to the active tenant or to none', async () => {
    const owner = await t.actors.owner();
    await inviteFor(owner);
    const other = (await t.api.post('/tenants').set(owner.bearer).send({ name: 'Other' }).expect(200)).body.data;
    const { body } = await t.api.post('/auth/switch-tenant').set(owner.bearer).send({ tenantId: other.id }).expect(200);
    const there = { ...owner, tenantId: other.id, bearer: { Authorization: `Bearer ${body.data.accessToken}` } };
    expect((await list(there)).items).toEqual([]);
    expect(await count(there)).toBe(0);
    await invite(await t.actors.owner(), owner.user.email);
    expect((await list(there)).items.map(({ kind }: { kind: string }) => kind)).toEqual(['InvitationReceived']);
    expect((await list(owner)).items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'InvitationReceived',
      'MemberInvited',
    ]);
  });

  it('are listed page by page, newest first, and filtered by whether they were read', async () => {
    const owner = await t.actors.owner();
    await inviteFor(owner, 3);
    const all = (await list(owner)).items as { id: string }[];
    const first = await list(owner, '?limit=2');
    expect([...first.items, ...(await list(owner, `?limit=2&cursor=${first.nextCursor}`)).items]).toEqual(all);
    await t.api.post(`/notifications/${all[1].id}/read`).set(owner.bearer).expect(200);
    expect((await list(owner, '?unread=true')).items.map(({ id }: { id: string }) => id)).toEqual([
      all[0].id,
      all[2].id,
    ]);
    expect((await list(owner, '?unread=false')).items.map(({ id }: { id: string }) => id)).toEqual([all[1].id]);
    expect(
      (await t.api.get('/notifications?unread=maybe').set(owner.bearer).expect(400)).body.error.details,
    ).toHaveProperty('unread');
  });

  it('are counted while unread, and marked as read one by one or together, idempotently', async () => {
    const owner = await t.actors.owner();
    await inviteFor(owner, 3);
    const [{ id }] = (await list(owner)).items;
    const read = () => t.api.post(`/notifications/${id}/read`).set(owner.bearer).expect(200);
    expect(await count(owner)).toBe(3);
    expect((await read()).body.data).toBeNull();
    const { readAt } = (await list(owner)).items[0];
    expect(readAt).toEqual(expect.any(String));
    t.clock.advance(60);
    await read();
    expect((await list(owner)).items[0].readAt).toBe(readAt);
    expect(await count(owner)).toBe(2);
    for (let i = 0; i < 2; i++)
      expect((await t.api.post('/notifications/read-all').set(owner.bearer).expect(200)).body.data).toBeNull();
    expect(await count(owner)).toBe(0);
    await t.api.post('/notifications/7/read').set(owner.bearer).expect(400);
  });

  it('of a kind that the service no longer sends are still listed', async () => {
    const owner = await t.actors.owner();
    const sql = `INSERT INTO notifications (id, tenant_id, user_id, kind, data, position, created_at)
      VALUES (gen_random_uuid(), $1, $2, 'TenantRenamed', '{"from":"Old"}', nextval('notification_positions'), now())`;
    await t.database.query(sql, [owner.tenantId, owner.user.id]);
    const actor = { userId: owner.user.id, tenantId: owner.tenantId } as Actor;
    const page = { limit: 10, cursor: undefined };
    const found = await t.nest.get(QueryBus).execute(new ListNotifications(actor, undefined, page));
    expect(found).toMatchObject({ ok: true, value: { items: [{ kind: 'TenantRenamed', data: { from: 'Old' } }] } });
  });

  it('are private, also among members of a tenant', async () => {
    const owner = await t.actors.owner();
    const member = await t.actors.member(owner);
    await inviteFor(owner);
    const [{ id }] = (await list(owner)).items;
    await t.api.post(`/notifications/${id}/read`).set(member.bearer).expect(404);
    await t.api.post('/notifications/read-all').set(member.bearer).expect(200);
    expect(await count(owner)).toBe(1);
    for (const path of ['/notifications', '/notifications/unread-count', '/notifications/stream'])
      await t.api.get(path).expect(401);
  });
});
