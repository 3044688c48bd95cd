import { CommandBus } from '@nestjs/cqrs';
import { RemindOfOrphans } from '../../../src/orphans/commands/remind-of-orphans';
import { DAY } from '../../../src/platform/clock';
import { newServiceKey, type ServiceKey } from '../../support/api-keys';
import { bearer, type Bearer, type Member } from '../../support/actors';
import { TestApp } from '../../support/app';
import { codeOf } from '../../support/error-code';
import { untilNoJobIsDue } from '../../support/job-queue';

const ORPHANS = '/tenants/current/orphaned-resources';
const READ = 'tenant.projects.read';

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly resourceId: string;
  readonly [field: string]: unknown;
}

describe('what a member has made', () => {
  let t: TestApp;
  let owner: Member;
  let admin: Member;
  beforeAll(async () => {
    t = await TestApp.start();
  });
  beforeEach(async () => {
    owner = await t.actors.owner({ plan: 'Business', tenantName: 'Looms' });
    admin = await t.actors.member(owner, 'Admin', { name: 'Charles' });
  });
  afterAll(() => t.close());

  const list = async (by: Bearer = owner): Promise<Shown[]> =>
    (await t.api.get(ORPHANS).set(by.bearer).expect(200)).body.data.items as Shown[];
  const takeOver = (id: string, by: Bearer = owner) => t.api.post(`${ORPHANS}/${id}/take-over`).set(by.bearer);
  const remove = (who: Member) => t.api.delete(`/tenants/current/members/${who.user.id}`).set(owner.bearer).expect(200);
  const setRole = (who: Member, roleId: string) =>
    t.api.patch(`/tenants/current/members/${who.user.id}`).set(owner.bearer).send({ roleId }).expect(200);
  const post = async (path: string, body: object): Promise<string> =>
    (await t.api.post(path).set(admin.bearer).send(body).expect(200)).body.data.id as string;
  const endpoint = async () => {
    const id = await post('/tenants/current/webhooks', { url: 'https://hooks.example/secret', types: null });
    await t.database.query('UPDATE webhook_endpoints SET disabled_at = NULL WHERE id = $1', [id]);
    return id;
  };
  const stream = () => post('/tenants/current/audit-streams', { url: 'https://siem.example/secret' });
  const projects = (key: ServiceKey) => t.api.get('/tenants/current/projects').set(key.bearer);
  const runDaily = async () => {
    await t.nest.get(CommandBus).execute(new RemindOfOrphans());
    await untilNoJobIsDue(t);
  };
  const subjects = () => t.mailbox.to(owner.user.email).map(({ subject }) => subject);
  const signIn = async (who: Member): Promise<Member> => ({ ...who, ...(await t.actors.signIn(who.user.email)) });

  it('is listed when the member is removed, and named to the Owner by an email', async () => {
    const key = await newServiceKey(t, admin, [READ]);
    const [endpointId, streamId] = [await endpoint(), await stream()];
    await newServiceKey(t, owner, [READ]);
    expect(await list()).toEqual([]);
    await remove(admin);
    const left = { leftBy: admin.user.id, leftByName: 'Charles', leftAt: expect.any(String) as string };
    const shown = { ...left, id: expect.any(String) as string, disabledAt: expect.any(String) as string };
    const items = await list();
    expect(items).toHaveLength(3);
    expect(items).toEqual(
      expect.arrayContaining([
        {
          ...shown,
          kind: 'service-account',
          resourceId: key.serviceAccountId,
          name: 'Service account "Import"',
          permissions: [READ],
        },
        {
          ...shown,
          kind: 'webhook-endpoint',
          resourceId: endpointId,
          name: 'Webhook endpoint at hooks.example',
          permissions: [],
        },
        { ...shown, kind: 'audit-stream', resourceId: streamId, name: 'Audit stream to siem.example', permissions: [] },
      ]),
    );
    const { text } = await t.mailbox.titled(owner.user.email, 'What a member has made still works in Looms');
    expect(text).toContain('Service account "Import"');
    expect(text).toContain('hooks.example');
    expect(text).not.toContain('secret');
    await projects(key).expect(200);
    const recorded = `SELECT FROM audit_log WHERE action = 'resource.orphaned' AND tenant_id = $1`;
    expect(await t.database.query(recorded, [owner.tenantId])).toHaveLength(3);
  });

  it('is listed when the member loses the permission, by a role or in it, and not when it is back', async () => {
    await newServiceKey(t, admin, [READ]);
    await endpoint();
    const kinds = async () => (await list()).map(({ kind }) => kind).sort();
    const roleId = await t.actors.role(owner, ['tenant.keys.manage', READ], 'Keeper');
    await setRole(admin, roleId);
    expect(await kinds()).toEqual(['webhook-endpoint']);
    const put = (permissions: string[]) =>
      t.api.put(`/tenants/current/roles/${roleId}`).set(owner.bearer).send({ name: 'Keeper', permissions }).expect(200);
    await put([READ]);
    expect(await kinds()).toEqual(['service-account', 'webhook-endpoint']);
    await put([READ, 'tenant.webhooks.manage']);
    expect(await kinds()).toEqual(['service-account']);
    await setRole(admin, await t.actors.roleId(owner, 'Admin'));
    expect(await kinds()).toEqual([]);
  });

  it('is taken over by a person who holds its permissions, once if two ask at the same time', async () => {
    const key = await newServiceKey(t, admin, [READ, 'tenant.audit.read', 'tenant.members.manage']);
    await remove(admin);
    const [{ id }] = await list();
    const guard = await t.actors.member(owner, ['tenant.security.manage', 'tenant.keys.manage']);
    const member = await t.actors.member(owner);
    expect(codeOf(await takeOver(id, guard).expect(403))).toBe('PERMISSION_NOT_HELD');
    expect(codeOf(await takeOver(id, member).expect(403))).toBe('FORBIDDEN');
    await t.api.get(ORPHANS).set(member.bearer).expect(403);
    expect(codeOf(await takeOver(id, key).expect(403))).toBe('API_KEY_NOT_ALLOWED');
    const answers = await Promise.all([takeOver(id), takeOver(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await list()).toEqual([]);
    const stored = await t.database.query(`SELECT created_by AS "by" FROM api_keys WHERE id = $1`, [key.id]);
    expect(stored).toEqual([{ by: owner.user.id }]);
    await projects(key).expect(200);
    t.clock.advance(15 * DAY);
    await runDaily();
    await projects(key).expect(200);
  });

  it('is disabled after 14 days, with an email three days before and one afterwards', async () => {
    const key = await newServiceKey(t, admin, [READ]);
    const endpointId = await endpoint();
    const streamId = await stream();
    await remove(admin);
    await t.database.query('DELETE FROM users WHERE id = $1', [admin.user.id]); // the account, too
    t.clock.advance(10 * DAY);
    await runDaily();
    expect(subjects()).not.toContain('Keys or receivers in Looms will be disabled in three days');
    t.clock.advance(1 * DAY + 1);
    await runDaily();
    await runDaily();
    await t.mailbox.titled(owner.user.email, 'Keys or receivers in Looms will be disabled in three days');
    await projects(key).expect(200);
    t.clock.advance(3 * DAY + 1);
    await Promise.all([runDaily(), runDaily()]);
    expect(codeOf(await projects(key).expect(401))).toBe('API_KEY_REVOKED');
    await t.mailbox.titled(owner.user.email, 'Keys or receivers in Looms were disabled');
    for (const [table, id] of [
      ['webhook_endpoints', endpointId],
      ['audit_streams', streamId],
    ])
      expect(
        await t.database.query(`SELECT FROM ${table} WHERE id = $1 AND disabled_at IS NOT NULL`, [id]),
      ).toHaveLength(1);
    owner = await signIn(owner);
    expect(await list()).toEqual([]);
    const recorded = `SELECT FROM audit_log WHERE action = 'resource.disabled' AND tenant_id = $1`;
    expect(await t.database.query(recorded, [owner.tenantId])).toHaveLength(3);
  });

  it('does not end with the keys that others have of the same service account', async () => {
    const key = await newServiceKey(t, admin, [READ]);
    const { body } = await t.api
      .post(`/tenants/current/service-accounts/${key.serviceAccountId}/keys`)
      .set(owner.bearer)
      .send({ name: 'Mine', permissions: [READ] })
      .expect(200);
    const other = { ...key, bearer: bearer((body as { data: { key: string } }).data.key) };
    await remove(admin);
    t.clock.advance(11 * DAY + 1);
    await runDaily();
    t.clock.advance(3 * DAY + 1);
    await runDaily();
    expect(codeOf(await projects(key).expect(401))).toBe('API_KEY_REVOKED');
    await projects(other).expect(200);
  });

  it('is never disabled without the email before, also if the daily job did not run for weeks', async () => {
    const key = await newServiceKey(t, admin, [READ]);
    await remove(admin);
    t.clock.advance(30 * DAY);
    await runDaily();
    await projects(key).expect(200);
    t.clock.advance(3 * DAY + 1);
    await runDaily();
    await projects(key).expect(401);
  });

  it('is not listed while it is disabled, and can be taken over after it was enabled again', async () => {
    const key = await newServiceKey(t, admin, [READ]);
    await remove(admin);
    const change = (disabled: boolean) =>
      t.api
        .patch(`/tenants/current/service-accounts/${key.serviceAccountId}`)
        .set(owner.bearer)
        .send({ disabled })
        .expect(200);
    await change(true);
    expect(await list()).toEqual([]);
    await change(false);
    const [{ id }] = await list();
    await takeOver(id).expect(200);
    expect(await list()).toEqual([]);
  });
});
