import { claimsOf, type Bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';

describe('ownership', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  const transfer = (by: Bearer, userId: unknown) =>
    t.api.post('/tenants/current/ownership').set(by.bearer).send({ userId });
  const ownersOf = async ({ tenantId }: Member) =>
    (
      await t.database.query<{ user_id: string }>('SELECT user_id FROM memberships WHERE tenant_id = $1 AND is_owner', [
        tenantId,
      ])
    ).map(({ user_id }) => user_id);

  it('is transferred to a member, who becomes the Owner while the Owner becomes an Admin', async () => {
    const owner = await t.actors.owner();
    const member = await t.actors.member(owner);
    expect((await transfer(owner, member.user.id).expect(200)).body.data).toBeNull();
    expect(claimsOf((await t.actors.refreshed(owner)).accessToken).role).toBe('Admin');
    expect(claimsOf((await t.actors.refreshed(member)).accessToken).role).toBe('Owner');
    expect((await transfer(owner, member.user.id).expect(403)).body.error.code).toBe('FORBIDDEN');
  });

  it('can be transferred by the Owner only, and to members only', async () => {
    const owner = await t.actors.owner();
    const admin = await t.actors.member(owner, 'Admin');
    const stranger = await t.actors.signedInUser();
    await transfer(admin, admin.user.id).expect(403);
    await transfer(owner, stranger.user.id).expect(404);
    for (const self of [owner.user.id, owner.user.id.toUpperCase()]) {
      expect((await transfer(owner, self).expect(400)).body.error.details).toHaveProperty('userId');
    }
    await transfer(owner, 'admin').expect(400);
    expect(await ownersOf(owner)).toEqual([owner.user.id]);
  });

  it('cannot be transferred to an account that is disabled or being disabled', async () => {
    const owner = await t.actors.owner();
    const member = await t.actors.member(owner);
    const disabling = ['UPDATE users SET disabled_at = now() WHERE id = $1', [member.user.id]] as const;
    const racing = await t.database.inTheMidstOf(disabling[0], [...disabling[1]], () =>
      transfer(owner, member.user.id),
    );
    expect([racing.status, racing.body.error.code]).toEqual([409, 'CONFLICT']);
    expect((await transfer(owner, member.user.id).expect(409)).body.error.code).toBe('CONFLICT');
    expect(await ownersOf(owner)).toEqual([owner.user.id]);
    await t.database.query('UPDATE users SET disabled_at = NULL WHERE id = $1', [member.user.id]);
    await transfer(owner, member.user.id).expect(200);
  });

  it('stays with exactly one member under concurrent transfers', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await t.actors.owner();
      const heirs = await Promise.all([1, 2, 3, 4].map(() => t.actors.member(owner)));
      const responses = await Promise.all(heirs.map(({ user }) => transfer(owner, user.id)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
      expect(await ownersOf(owner)).toEqual([heirs[responses.findIndex(({ status }) => status === 200)].user.id]);
    }
  });

  it('stays with exactly one member if the new Owner is removed, leaves or gets another role meanwhile', async () => {
    for (let round = 0; round < 8; round++) {
      const owner = await t.actors.owner();
      const heir = await t.actors.member(owner, 'Admin');
      const admin = await t.actors.roleId(owner, 'Admin');
      const about = `/tenants/current/members/${heir.user.id}`;
      const requests = [
        () => transfer(owner, heir.user.id),
        () => t.api.delete(about).set(heir.bearer),
        () => t.api.patch(about).set(owner.bearer).send({ roleId: admin }),
        () => t.api.delete(about).set(owner.bearer),
      ];
      const rotated = [...requests.slice(round % 4), ...requests.slice(0, round % 4)];
      const responses = await Promise.all(rotated.map((request) => request()));
      expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      expect(await ownersOf(owner)).toHaveLength(1);
    }
  });

  describe('is enforced by the database', () => {
    const refusal = async (sql: string, parameters: unknown[]) => {
      const error = await t.database.query(sql, parameters).then(
        () => undefined,
        (thrown: { code: string; constraint: string }) => thrown,
      );
      return error?.constraint;
    };

    it('which refuses a second Owner of a tenant', async () => {
      const owner = await t.actors.owner();
      const member = await t.actors.member(owner);
      const makeOwner = `UPDATE memberships SET is_owner = true, role_id = (SELECT id FROM roles WHERE tenant_id = $1
        AND is_owner)
                          WHERE tenant_id = $1 AND user_id = $2`;
      expect(await refusal(makeOwner, [owner.tenantId, member.user.id])).toBe('memberships_one_owner_idx');
    });

    it('which refuses a tenant without an Owner, by demotion, removal, account deletion or creation', async () => {
      const owner = await t.actors.owner();
      const demote = `UPDATE memberships SET is_owner = false, role_id = (SELECT id FROM roles WHERE tenant_id = $1
        AND name = 'Admin')
                       WHERE tenant_id = $1 AND is_owner`;
      expect(await refusal(demote, [owner.tenantId])).toBe('tenants_have_an_owner');
      expect(await refusal('DELETE FROM memberships WHERE tenant_id = $1', [owner.tenantId])).toBe(
        'tenants_have_an_owner',
      );
      expect(await refusal('DELETE FROM users WHERE id = $1', [owner.user.id])).toBe('tenants_have_an_owner');
      expect(
        await refusal("INSERT INTO tenants (id, name, created_at) VALUES (gen_random_uuid(), 'x', now())", []),
      ).toBe('tenants_have_an_owner');
    });

    it('which refuses an Owner flag without the Owner role, and a role of another tenant', async () => {
      const [owner, stranger] = [await t.actors.owner(), await t.actors.owner()];
      const member = await t.actors.member(owner);
      const lie = 'UPDATE memberships SET is_owner = true WHERE tenant_id = $1 AND user_id = $2';
      expect(await refusal(lie, [owner.tenantId, member.user.id])).toMatch(/memberships_(role_fkey|one_owner_idx)/);
      const foreign = `UPDATE memberships SET role_id = (SELECT id FROM roles WHERE tenant_id = $3 AND name = 'Admin')
          WHERE tenant_id = $1 AND user_id = $2`;
      expect(await refusal(foreign, [owner.tenantId, member.user.id, stranger.tenantId])).toBe('memberships_role_fkey');
    });

    it('which refuses a second membership of a user, and a second role of the same name in any case', async () => {
      const owner = await t.actors.owner();
      const again = `INSERT INTO memberships SELECT tenant_id, user_id, gen_random_uuid(), role_id, false, now()
        FROM memberships WHERE tenant_id = $1`;
      expect(await refusal(again, [owner.tenantId])).toMatch(/memberships_(pkey|role_fkey)/);
      const role = `INSERT INTO roles VALUES ($1, gen_random_uuid(), 'ADMIN', false, false, '{tenant.audit.read}')`;
      expect(await refusal(role, [owner.tenantId])).toBe('roles_tenant_id_name_key');
    });
  });
});
