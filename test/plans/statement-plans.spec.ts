import { DiscoveryService } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { RefreshSession } from '../../src/auth/commands/refresh-session';
import { openApiDocument } from '../../src/http/openapi/openapi-document';
import { handledCommands } from '../../src/platform/handled-commands';
import { newId } from '../../src/platform/ids';
import { scheduleOf } from '../../src/platform/jobs/schedule.decorator';
import { PASSWORD, type Bearer, type Member } from '../support/actors';
import { TestApp } from '../support/app';
import { Billing } from '../support/billing';
import { operationsWithIds, type DocumentedOperation } from '../support/document-ids';
import { fillLarge, largeRelations } from '../support/large-database';
import { PlanRecorder } from '../support/plan-recorder';
import { subscriptionUpdated } from '../support/stripe-events';

const FILL_MS = 900_000;
const DRIVE_MS = 240_000;

/** Reads come first, and what deletes last, so that each operation finds its resource. */
const ORDER: readonly DocumentedOperation['method'][] = ['get', 'patch', 'put', 'post', 'delete'];

describe('In a database with a million refresh tokens,', () => {
  let first: TestApp;
  let large: ReadonlySet<string>;

  beforeAll(async () => {
    first = await TestApp.start({ processor: true, env: { WORKER: 'off' } });
    await fillLarge(first.database);
    large = await largeRelations(first.database);
  }, FILL_MS);
  afterAll(() => first.close());

  it('the tables that grow with accounts, tenants and events are large', () => {
    expect([...large]).toEqual(
      expect.arrayContaining(['users', 'sessions', 'refresh_tokens', 'one_time_tokens', 'linked_providers']),
    );
    expect([...large]).toEqual(expect.arrayContaining(['tenants', 'roles', 'memberships', 'invitations', 'projects']));
    expect([...large]).toEqual(
      expect.arrayContaining(['notifications', 'subscriptions', 'webhook_events', 'entitlement_overrides']),
    );
    expect([...large]).toEqual(expect.arrayContaining(['webhook_endpoints', 'webhook_messages', 'webhook_deliveries']));
  });

  describe.each([
    ['planned for their parameters', 'force_custom_plan'],
    ['planned once for all parameters', 'force_generic_plan'],
  ] as const)('statements that are %s', (_how, mode) => {
    let recorder: PlanRecorder;
    let t: TestApp;
    let owner: Member;
    let admin: Bearer;

    beforeAll(async () => {
      recorder = await PlanRecorder.start(first.database, mode);
      t = await TestApp.start({ beside: first, processor: true, env: { WORKER: 'off' } });
      owner = await t.actors.owner();
      admin = await t.actors.admin();
    }, DRIVE_MS);
    afterAll(async () => {
      await t.close();
      recorder.stop();
    });

    const readingAll = () => recorder.readingAll(large);
    const post = async (path: string, body: object) =>
      (await t.api.post(path).set(owner.bearer).send(body).expect(200)).body.data.id as string;

    it('sign in, refresh, rename and receive webhooks by indexes', async () => {
      const { email } = owner.user;
      await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
      const { refreshToken } = await t.actors.signIn(email);
      await t.api.post('/auth/refresh').send({ refreshToken }).expect(200);
      await t.api.post('/auth/refresh').send({ refreshToken }).expect(401);
      const others = await Promise.all(Array.from({ length: 4 }, () => t.actors.signIn(email)));
      const sent = others.map((one) => t.nest.get(CommandBus).execute(new RefreshSession(one.refreshToken)));
      expect((await Promise.all(sent)).every(({ ok }) => ok)).toBe(true); // the last two in one statement
      await t.api.get('/auth/me').set(owner.bearer).expect(200);
      await t.api.patch('/users/me').set(owner.bearer).send({ name: 'Grace' }).expect(200);
      first.processor.deliverTo(`${t.address}/api/v1/webhooks/stripe`);
      const billing = new Billing(t);
      const { subscriber } = await billing.subscribed();
      await billing.take(subscriptionUpdated(subscriber, { periodEnd: 1_950_000_000 }));
      expect(readingAll()).toEqual([]);
    });

    it(
      'carry out every operation of the API by indexes',
      async () => {
        const member = await t.actors.member(owner);
        const [{ id: sessions }] = (await t.api.get('/auth/sessions').set(owner.bearer).expect(200)).body.data.items;
        const known: Record<string, string> = {
          users: member.user.id,
          userId: member.user.id,
          tenants: owner.tenantId,
          tenantId: owner.tenantId,
          projects: await post('/tenants/current/projects', { name: 'Loom' }),
          invitations: await post('/tenants/current/invitations', { email: `guest${mode}@example.com` }),
          roleId: await t.actors.role(owner, ['tenant.projects.read'], 'Reader'),
          provider: 'google',
          sessions,
        };
        const ids = new Proxy(known, { get: (of, name: string) => of[name] ?? newId() });
        const operations = operationsWithIds(openApiDocument(t.nest, t.settings))
          .filter(({ path }) => !path.endsWith('/stream'))
          .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method) || b.path.length - a.path.length);
        expect(operations.length).toBeGreaterThan(60);
        for (const { method, path, bodyWith } of operations) {
          const actor = path.includes('/admin/') ? admin : owner;
          const address = path.replace(/(\w[\w-]*)\/\{(\w+)\}/g, (_all, collection: string, name: string) => {
            return `${collection}/${ids[name === 'id' ? collection : name]}`;
          });
          await t.http[method](address).redirects(0).set(actor.bearer).send(bodyWith(ids));
        }
        for (const path of ['users?search=ada', 'users?state=disabled', 'tenants?search=acme', 'tenants?plan=Pro'])
          await t.api.get(`/admin/${path}`).set(admin.bearer).expect(200);
        for (const filter of ['entitlement=auditExport', 'override=true', 'entitlement=auditExport&override=true'])
          for (const more of ['', '&plan=Pro', '&plan=Free', '&search=acme'])
            await t.api.get(`/admin/tenants?${filter}${more}`).set(admin.bearer).expect(200);
        for (const filter of ['override=false', 'override=false&plan=Pro', 'override=false&entitlement=auditExport'])
          await t.api.get(`/admin/tenants?${filter}`).set(admin.bearer).expect(200);
        const { tenantId } = owner;
        for (const filter of ['', 'state=unhealthy', 'state=failing', 'state=disabled', `tenant=${tenantId}`])
          await t.api.get(`/admin/webhook-endpoints?${filter}`).set(admin.bearer).expect(200);
        for (const filter of ['', 'state=failed', 'state=due', `tenant=${tenantId}`, `tenant=${tenantId}&state=failed`])
          await t.api.get(`/admin/webhook-deliveries?${filter}`).set(admin.bearer).expect(200);
        for (const filter of [`tenantId=${owner.tenantId}`, `actorId=${owner.user.id}`])
          await t.api.get(`/admin/audit-log?${filter}`).set(admin.bearer).expect(200);
        expect(recorder.statements).toBeGreaterThan(100);
        expect(readingAll()).toEqual([]);
      },
      DRIVE_MS,
    );

    it(
      'do scheduled work by indexes',
      async () => {
        const schedules = handledCommands(t.nest.get(DiscoveryService, { strict: false })).flatMap(
          (command) => scheduleOf(command) ?? [],
        );
        expect(schedules.length).toBeGreaterThanOrEqual(8);
        for (const { create } of schedules) await t.nest.get(CommandBus).execute(create(t.clock.now()));
        expect(readingAll()).toEqual([]);
      },
      DRIVE_MS,
    );
  });

  it(
    'a statement that reads a whole table is reported: the suite can fail',
    async () => {
      const recorder = await PlanRecorder.start(first.database, 'force_custom_plan');
      const t = await TestApp.start({ beside: first, processor: true, env: { WORKER: 'off' } });
      const { email } = await t.actors.user();
      await t.database.query('DROP INDEX sessions_user_id_id_idx');
      await t.api.post('/auth/login').send({ email, password: PASSWORD }).expect(200);
      expect(recorder.readingAll(large)).toEqual([
        expect.stringContaining('Seq Scan of all of sessions: WITH account'),
      ]);
      await t.close();
      recorder.stop();
    },
    DRIVE_MS,
  );
});
