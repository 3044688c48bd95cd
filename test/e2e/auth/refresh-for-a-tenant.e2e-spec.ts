import { randomUUID } from 'node:crypto';
import { RefreshTokenRepository } from '../../../src/auth/data/refresh-token.repository';
import { TokenIssuer } from '../../../src/auth/services/token-issuer';
import { DAY, HOUR } from '../../../src/platform/clock';
import { UnitOfWork } from '../../../src/platform/database/unit-of-work';
import { ok } from '../../../src/platform/result';
import { joinedMembership } from '../../../src/tenants/tenants.api';
import { bearer, claimsOf, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';

describe('refreshing a session for a tenant', () => {
  let t: TestApp;
  let owner: Member;
  /** Another tenant of the owner, which is not the active one. */
  let second: string;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    owner = await t.actors.owner();
    const { body } = await t.api.post('/tenants').set(owner.bearer).send({ name: 'Second' }).expect(200);
    second = (body as { data: { id: string } }).data.id;
  });

  const refresh = async (refreshToken: string, tenantId?: string | null) => {
    const { body } = await t.api.post('/auth/refresh').send({ refreshToken, tenantId }).expect(200);
    return (body as { data: { accessToken: string; refreshToken: string } }).data;
  };
  const switchTo = (tenantId: string) =>
    t.api.post('/auth/switch-tenant').set(owner.bearer).send({ tenantId }).expect(200);

  it('issues an access token for that tenant, and keeps the active tenant of the session', async () => {
    const named = await refresh(owner.refreshToken, second);
    expect(claimsOf(named.accessToken)).toMatchObject({ tenant_id: second, role: 'Owner' });
    const { body } = await t.api.get('/auth/me').set(bearer(named.accessToken)).expect(200);
    expect(body.data.tenant).toMatchObject({ id: second, name: 'Second' });
    const next = await refresh(named.refreshToken);
    expect(claimsOf(next.accessToken).tenant_id).toBe(owner.tenantId);
    expect(claimsOf((await refresh(next.refreshToken, null)).accessToken).tenant_id).toBe(owner.tenantId);
  });

  it('issues an access token for the active tenant if the user is not a member of the named one', async () => {
    const stranger = await t.actors.owner();
    await switchTo(second);
    const foreign = await refresh(owner.refreshToken, stranger.tenantId);
    expect(claimsOf(foreign.accessToken).tenant_id).toBe(second);
    const unknown = await refresh(foreign.refreshToken, randomUUID());
    expect(claimsOf(unknown.accessToken).tenant_id).toBe(second);
  });

  it('does not bring back a tenant that the user was removed from', async () => {
    const member = await t.actors.member(owner);
    await t.api.delete(`/tenants/current/members/${member.user.id}`).set(owner.bearer).expect(200);
    const pair = await refresh(member.refreshToken, owner.tenantId);
    expect(claimsOf(pair.accessToken).tenant_id).toBeUndefined();
  });

  it('finds the membership in the named or the active tenant without the function', async () => {
    const [{ source }] = await t.database.query<{ source: string }>(
      `SELECT pg_get_functiondef('session_membership_of'::regproc) AS source`,
    );
    await t.database.query(source.replace('BEGIN', `BEGIN RAISE EXCEPTION 'called';`));
    try {
      const active = await refresh(owner.refreshToken);
      expect(claimsOf(active.accessToken)).toMatchObject({ tenant_id: owner.tenantId, role: 'Owner' });
      const named = await refresh(active.refreshToken, second);
      expect(claimsOf(named.accessToken)).toMatchObject({ tenant_id: second, role: 'Owner' });
      const unknown = { refreshToken: named.refreshToken, tenantId: randomUUID() };
      await t.api.post('/auth/refresh').send(unknown).expect(500);
    } finally {
      await t.database.query(source);
    }
  });

  it('issues an access token for a tenant whose sign-in policy lets the session in', async () => {
    await t.database.query(
      'INSERT INTO sign_in_policies (tenant_id, max_session_hours, updated_at) VALUES ($1, 12, now())',
      [owner.tenantId],
    );
    const active = await refresh(owner.refreshToken);
    expect(claimsOf(active.accessToken)).toMatchObject({ tenant_id: owner.tenantId, role: 'Owner' });
    const named = await refresh(active.refreshToken, second);
    expect(claimsOf(named.accessToken).tenant_id).toBe(second);
    t.clock.advance(13 * HOUR);
    // the active tenant's policy keeps the session out now
    expect(claimsOf((await refresh(named.refreshToken)).accessToken).tenant_id).toBe(second);
  });

  it('shows the rows of no other tenant to what follows in its transaction', async () => {
    const refreshTokens = t.nest.get(RefreshTokenRepository);
    const spent = (await refreshTokens.refOf(owner.refreshToken))!;
    const { stored } = t.nest.get(TokenIssuer).newRefreshToken();
    const unitOfWork = t.nest.get(UnitOfWork);
    const tenants = () => unitOfWork.query<{ id: string }>('SELECT id FROM tenants', []);
    const scope = { tenantId: owner.tenantId, userId: owner.user.id };
    await unitOfWork.inTenant(scope, async () => {
      const device = { ip: null, userAgent: null };
      const exchange = { spent, token: stored, device, tenantId: second };
      const found = await refreshTokens.rotate([exchange], t.clock.now(), DAY);
      expect(found.get(stored.id)).toMatchObject({ id: owner.user.id, tenantId: second, role: 'Owner' });
      expect(await tenants()).toEqual([{ id: owner.tenantId }]);
      return ok();
    });
  });

  it('finds no membership by the join in the scope of a tenant, whose sign-in policy might be hidden', async () => {
    const unitOfWork = t.nest.get(UnitOfWork);
    const sql = `SELECT * FROM ${joinedMembership('$1::uuid', '$2::uuid')} m`;
    const join = async () => ok(await unitOfWork.query(sql, [owner.user.id, owner.tenantId]));
    const scope = { tenantId: owner.tenantId, userId: owner.user.id };
    expect(await unitOfWork.inTenant(scope, join)).toEqual(ok([]));
    expect(await unitOfWork.acrossTenants(join)).toMatchObject({ value: [{ role: 'Owner' }] });
  });

  it('refuses an id that is not a UUID, and leaves the refresh token valid', async () => {
    const { body } = await t.api
      .post('/auth/refresh')
      .send({ refreshToken: owner.refreshToken, tenantId: 'acme' })
      .expect(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { tenantId: ['must be a UUID'] } });
    await refresh(owner.refreshToken, second);
  });

  it('lets one session hold an access token for each of two tenants', async () => {
    const one = await refresh(owner.refreshToken, owner.tenantId);
    const other = await refresh(one.refreshToken, second);
    for (const [token, name] of [
      [one.accessToken, 'Of the first'],
      [other.accessToken, 'Of the second'],
    ])
      await t.api.post('/tenants/current/projects').set(bearer(token)).send({ name }).expect(200);
    for (const [token, name] of [
      [one.accessToken, 'Of the first'],
      [other.accessToken, 'Of the second'],
    ]) {
      const { body } = await t.api.get('/tenants/current/projects').set(bearer(token)).expect(200);
      expect((body as { data: { items: { name: string }[] } }).data.items.map((project) => project.name)).toEqual([
        name,
      ]);
    }
  });

  it('ends all access tokens of the session at sign-out, whichever tenant they are for', async () => {
    const one = await refresh(owner.refreshToken, owner.tenantId);
    const other = await refresh(one.refreshToken, second);
    await t.api.post('/auth/logout').send({ refreshToken: other.refreshToken }).expect(200);
    for (const { accessToken } of [one, other])
      await t.api.post('/auth/password').set(bearer(accessToken)).send({ password: 'another good one' }).expect(401);
  });
});
