import { CommandBus } from '@nestjs/cqrs';
import { DeleteDueAccounts } from '../../../src/accounts/deletion/commands/delete-due-accounts';
import { AuditAggregation } from '../../../src/audit/services/audit-aggregation';
import { DAY, MINUTE } from '../../../src/platform/clock';
import { bearer, claimsOf, PASSWORD, type Member, type Pair } from '../../support/actors';
import { TestApp } from '../../support/app';
import { AuthenticatorApp } from '../../support/authenticator-app';
import { databaseDump, tablesNaming } from '../../support/database-dump';
import { EmailChanges } from '../../support/email-changes';
import { untilNoJobIsLeft } from '../../support/job-queue';

/** The address before the last one. */
const EARLIER = 'wilhelmina@wander.example';
const EMAIL = 'mina@roam.example';
const [NAME, LATER_NAME] = ['Wilhelmina Wanderer', 'Mina Wanderer'];
const IP = '203.0.113.77';
const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Wanderer) Firefox/131.0';
const FRIEND = 'friend@example.com';
/** What must be nowhere after the erasure, also within other words. */
const TEXTS = ['wilhelmina', 'wanderer', EARLIER, EMAIL, IP, AGENT, FRIEND];
const FROM = { 'User-Agent': AGENT, 'X-Forwarded-For': IP };

/** What no route stores without Stripe or a failure: a dead job, a rejection, Stripe's events. */
const OTHER_TRACES = `
  WITH job AS (SELECT graphile_worker.add_job('send-link-mail', json_build_object('command',
                        json_build_object('email', $1::text)), run_at => now() + interval '9 days') AS added),
  suppressed AS (INSERT INTO suppressed_addresses (address, until, reason)
                 VALUES ($1, now(), 'full'), ($5, now(), 'full')),
  pictured AS (UPDATE users SET picture_url = 'https://pictures.example/' || $1 WHERE email = $1)
  INSERT INTO webhook_events (id, event_id, type, status, tenant_id, created_at, received_at, payload)
  SELECT gen_random_uuid(), 'evt_' || n, 'invoice.paid', 'processed', tenant, now(), now(),
         jsonb_build_object('customer_email', $1::text, 'customer_name', name)
    FROM job, (VALUES (1, $2::uuid, $4::text), (2, $3::uuid, NULL), (3, NULL, NULL)) AS v (n, tenant, name)`;

describe('After the deletion of an account', () => {
  let t: TestApp;
  let person: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: { TRUST_PROXY: '1' } });
    person = await leavingTraces();
  });
  afterAll(() => t.close());

  const invite = async (by: Member, email: string, from = {}) =>
    t.api
      .post('/tenants/current/invitations')
      .set({ ...by.bearer, ...from })
      .send({ email, roleId: await t.actors.roleId(by, 'Member') })
      .expect(200);
  const dump = () => databaseDump(t.database);
  const deleteDue = async () => {
    await t.nest.get(CommandBus).execute(new DeleteDueAccounts());
    await untilNoJobIsLeft(t);
  };

  /** A person who registers, and uses what an account can do. */
  async function leavingTraces(): Promise<Member> {
    await t.api.post('/auth/register').set(FROM).send({ email: EARLIER, password: PASSWORD, name: NAME }).expect(201);
    const token = await t.mailbox.token(EARLIER);
    const verified = await t.api.get('/auth/verify-email').set(FROM).query({ token }).expect(200);
    const pair = (verified.body as { data: Pair }).data;
    const { sub, tenant_id } = claimsOf(pair.accessToken) as { sub: string; tenant_id: string };
    const user = { id: sub, email: EARLIER } as Member['user'];
    const actor: Member = { ...pair, user, tenantId: tenant_id, bearer: bearer(pair.accessToken) };
    const headers = { ...actor.bearer, ...FROM };
    await invite(actor, FRIEND, FROM);
    await t.api
      .post('/tenants/current/projects')
      .set(headers)
      .send({ name: `Plans of ${NAME}` })
      .expect(200);
    const [acme, bobs] = [await t.actors.owner({ tenantName: 'Acme' }), await t.actors.owner({ tenantName: 'Bob' })];
    await invite(acme, EARLIER);
    const { text } = await t.mailbox.last(EARLIER, 2);
    await t.api
      .post('/invitations/accept')
      .set(headers)
      .send({ token: /token=([\w-]+)/.exec(text)![1] })
      .expect(200);
    await invite(bobs, EARLIER); // stays pending
    await t.api.patch('/users/me').set(headers).send({ name: LATER_NAME }).expect(200);
    await new EmailChanges(t).change(actor, EARLIER, EMAIL);
    await invite(bobs, EMAIL);
    await AuthenticatorApp.enrol(t, actor);
    await t.api.post('/auth/login').set(FROM).send({ email: EMAIL, password: 'wrong password' }).expect(401);
    await t.nest.get(AuditAggregation).flush(t.clock.now());
    const admin = await t.actors.admin();
    const reason = `${LATER_NAME} asked for help`;
    await t.api.post(`/admin/users/${sub}/impersonate`).set(admin.bearer).send({ reason }).expect(200);
    await untilNoJobIsLeft(t);
    await t.database.query(OTHER_TRACES, [EMAIL, tenant_id, acme.tenantId, NAME, EARLIER]);
    return actor;
  }

  it('no name, address, IP address or browser is left in any table', async () => {
    expect(tablesNaming(await dump(), TEXTS)).toEqual(
      expect.arrayContaining([
        'audit_log',
        'graphile_worker._private_jobs',
        'invitations',
        'notifications',
        'projects',
        'sessions',
        'suppressed_addresses',
        'tenants',
        'tenant_search_terms',
        'users',
        'webhook_events',
      ]),
    );
    await t.database.query('UPDATE users SET deletes_at = $2 WHERE id = $1', [person.user.id, t.clock.now()]);
    await deleteDue();
    await t.mailbox.titled(EMAIL, 'Your account was deleted');
    expect(tablesNaming(await dump(), TEXTS)).toEqual([]);
  });

  it('the audit log says who did what by ids, and hides nothing that others did', async () => {
    const entries = await t.database.query<{ action: string; isOwn: boolean; ip: string | null; data: object }>(
      `SELECT action, coalesce(actor_id = $1, true) AS "isOwn", ip, data FROM audit_log
        WHERE actor_id = $1 OR target_id = $1::text ORDER BY id`,
      [person.user.id],
    );
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.joined', 'tenant.deleted', 'user.deleted', 'user.renamed', 'user.impersonated']),
    );
    const own = entries.filter(({ isOwn }) => isOwn);
    expect(own.every(({ ip, data }) => ip === null && Object.keys(data).length === 0)).toBe(true);
    const impersonation = entries.find(({ action }) => action === 'user.impersonated')!;
    expect(impersonation).toMatchObject({ isOwn: false, ip: expect.any(String) as string });
    expect(impersonation.data).not.toHaveProperty('reason');
  });

  it('what is written about it later is erased after a day, and then only ids are left', async () => {
    await t.database.query(
      `INSERT INTO audit_log (id, at, action, target_type, target_id, ip, request_id, data)
       VALUES (gen_random_uuid(), now(), 'user.sign-in-failed', 'user', $1, $2, 'request', '{}')`,
      [person.user.id, IP],
    );
    expect(tablesNaming(await dump(), TEXTS)).toEqual(['audit_log']);
    t.clock.advance(DAY + MINUTE);
    await deleteDue();
    expect(tablesNaming(await dump(), TEXTS)).toEqual([]);
    // the first and the last until their next purge
    expect(tablesNaming(await dump(), [person.user.id])).toEqual(['access_revocations', 'audit_log', 'inviter_quotas']);
  });
});
