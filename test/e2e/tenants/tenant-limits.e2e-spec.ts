import { CommandBus } from '@nestjs/cqrs';
import { CreateTenant } from '../../../src/tenants/commands/create-tenant';
import {
  MAX_PENDING_INVITATIONS_PER_TENANT,
  MAX_ROLES_PER_TENANT,
  MAX_TENANTS_PER_USER,
} from '../../../src/tenants/domain/tenant-limits';
import type { Member } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';
import { Entitlements } from '../../support/entitlement-overrides';

describe('limits', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  afterAll(() => t.close());

  /** The responses to concurrent requests. */
  const outcome = (responses: { status: number }[]) => ({
    done: responses.filter(({ status }) => status === 200).length,
    refused: responses.filter((response) => response.status === 409 && codeOf(response as never) === 'LIMIT_REACHED')
      .length,
  });
  const found = ({ bearer }: Member, name: string) => t.api.post('/tenants').set(bearer).send({ name });
  const tenantsOf = ({ user }: Member) => t.database.query('SELECT FROM memberships WHERE user_id = $1', [user.id]);

  it('allow 50 tenants per user, created or joined, also under concurrent requests', async () => {
    const actor = await t.actors.owner();
    const founder = { userId: actor.user.id, impersonatorId: null };
    for (let number = 2; number <= MAX_TENANTS_PER_USER - 3; number++)
      await t.nest.get(CommandBus).execute(new CreateTenant(founder, `T${number}`));
    const hosts = await Promise.all([1, 2, 3].map(() => t.actors.owner()));
    for (const { bearer } of hosts)
      await t.api.post('/tenants/current/invitations').set(bearer).send({ email: actor.user.email }).expect(200);
    const tokens = await t.mailbox.tokens(actor.user.email, 3);
    const accept = (token: string, by = actor) => t.api.post('/invitations/accept').set(by.bearer).send({ token });
    const responses = await Promise.all([
      ...[1, 2, 3].map((number) => found(actor, `At once ${number}`)),
      ...tokens.map((token) => accept(token)),
    ]);
    expect(outcome(responses)).toEqual({ done: 3, refused: 3 });
    expect(await tenantsOf(actor)).toHaveLength(MAX_TENANTS_PER_USER);
    expect(codeOf(await found(actor, 'One more').expect(409))).toBe('LIMIT_REACHED');
    const refused = tokens.filter((_, index) => responses[3 + index].status === 409);
    await t.api.delete('/tenants/current').set(actor.bearer).expect(200); // frees one membership
    const still = await t.actors.refreshed(actor); // the token of the deleted tenant is rejected
    if (refused.length > 0)
      await accept(refused[0], still).expect(200); // a refused invitation is not used up
    else await found(still, 'In its place').expect(200);
  });

  it('allow 200 roles per tenant', async () => {
    const owner = await t.actors.owner();
    await t.database.query(
      `INSERT INTO roles SELECT $1, gen_random_uuid(), 'Role ' || n, false, false, '{tenant.projects.read}'
        FROM generate_series(1, $2::int) n`,
      [owner.tenantId, MAX_ROLES_PER_TENANT - 3 - 2],
    );
    const create = (name: string) =>
      t.api
        .post('/tenants/current/roles')
        .set(owner.bearer)
        .send({ name, permissions: ['tenant.projects.read'] });
    expect(outcome(await Promise.all([1, 2, 3, 4, 5, 6].map((number) => create(`At once ${number}`))))).toEqual({
      done: 2,
      refused: 4,
    });
    await t.actors.role(await t.actors.owner(), ['tenant.projects.read']); // in another tenant
  });

  it('allow 500 pending invitations per tenant; expired ones count again once they are resent', async () => {
    const owner = await t.actors.owner();
    await new Entitlements(t).giveSeats(owner);
    await t.database.query(
      `INSERT INTO invitations (tenant_id, id, email, role_id, invited_by, created_at, expires_at)
       SELECT $1, gen_random_uuid(), 'g' || n || '@example.com', $2, $3, $4,
         $4::timestamptz + CASE WHEN n = 1 THEN interval '-1 s' ELSE interval '7 days' END
         FROM generate_series(1, $5::int) n`,
      [
        owner.tenantId,
        await t.actors.roleId(owner, 'Member'),
        owner.user.id,
        t.clock.now(),
        MAX_PENDING_INVITATIONS_PER_TENANT + 1 - 2,
      ],
    );
    const invite = (email: string) => t.api.post('/tenants/current/invitations').set(owner.bearer).send({ email });
    expect(
      outcome(await Promise.all([1, 2, 3, 4, 5, 6].map((number) => invite(`at-once-${number}@example.com`)))),
    ).toEqual({ done: 2, refused: 4 });
    expect(codeOf(await invite('g2@example.com').expect(409))).toBe('ALREADY_INVITED');
    const [{ id }] = await t.database.query<{ id: string }>(
      `SELECT id FROM invitations WHERE tenant_id = $1 AND email = 'g1@example.com'`,
      [owner.tenantId],
    );
    const resend = () => t.api.post(`/tenants/current/invitations/${id}/resend`).set(owner.bearer);
    expect(codeOf(await resend().expect(409))).toBe('LIMIT_REACHED');
    await t.database.query(`DELETE FROM invitations WHERE tenant_id = $1 AND email = 'g3@example.com'`, [
      owner.tenantId,
    ]);
    await resend().expect(200);
  });
});
