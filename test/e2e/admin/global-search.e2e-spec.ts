import { newId } from '../../../src/platform/ids';
import type { Member, SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

describe('the search over all records', () => {
  let t: TestApp;
  let admin: SignedInUser;
  let ada: Member;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin();
    ada = await t.actors.owner({ email: 'ada@loom.example', name: 'Ada King', tenantName: 'Loom Works' });
    await t.database.query(
      `INSERT INTO subscriptions (tenant_id, processor_customer_id, processor_subscription_id, plan, status, updated_at)
       VALUES ($1, 'cus_Loom1', 'sub_Loom1', 'Pro', 'Active', now())`,
      [ada.tenantId],
    );
  });
  afterAll(() => t.close());

  const ask = (q: string, by = admin) => t.api.get('/admin/search').query({ q }).set(by.bearer);
  const found = async (q: string) => (await ask(q).expect(200)).body.data.items as object[];
  const user = () => ({ kind: 'user', id: ada.user.id, title: 'Ada King', detail: 'ada@loom.example' });
  const tenant = () => ({ kind: 'tenant', id: ada.tenantId, title: 'Loom Works', detail: 'ada@loom.example' });

  it('finds users by email and name, and tenants by words of their name', async () => {
    expect(await found('loom')).toEqual([user(), tenant()]);
    expect(await found('ada king')).toEqual([user()]);
    expect(await found('wo')).toEqual([tenant()]);
    expect(await found('nowhere')).toEqual([]);
  });

  it('finds records by their ids, and a session by its user', async () => {
    const [{ id: sessionId }] = await t.database.query<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1', [
      ada.user.id,
    ]);
    const eventId = newId();
    await t.database.query(
      `INSERT INTO webhook_events (id, event_id, type, status, created_at, received_at, payload)
       VALUES ($1, 'evt_Loom1', 'invoice.paid', 'processed', now(), now(), '{}')`,
      [eventId],
    );
    const [{ id: job }] = await t.database.query<{ id: string }>(
      `SELECT id::text FROM graphile_worker.add_job('send-link-mail', '{"command": {}}')`,
    );
    const event = { kind: 'webhook-event', id: eventId, title: 'invoice.paid', detail: 'evt_Loom1' };
    expect(await found(ada.user.id)).toEqual([user()]);
    expect(await found(ada.tenantId.toUpperCase())).toEqual([tenant()]);
    expect(await found(sessionId)).toEqual([{ ...user(), detail: 'Session of ada@loom.example' }]);
    for (const id of [eventId, 'evt_Loom1']) expect(await found(id)).toEqual([event]);
    expect(await found(job.padStart(2, '0'))).toEqual([
      { kind: 'job', id: job, title: 'send-link-mail', detail: `Job ${job}` },
    ]);
    for (const id of ['cus_Loom1', 'sub_Loom1']) expect(await found(id)).toEqual([tenant()]);
    for (const id of [newId(), 'cus_Loom2', 'evt_Loom2', '999999999']) expect(await found(id)).toEqual([]);
  });

  it('shows at most five of a kind', async () => {
    for (let i = 0; i < 6; i++) await t.actors.user({ name: `Weaver ${i}` });
    expect(await found('weaver')).toHaveLength(5);
  });

  it('is recorded with its text', async () => {
    await found('jacquard');
    expect(
      await t.database.query(
        `SELECT actor_id, target_type, data FROM audit_log WHERE action = 'admin.viewed' ORDER BY id DESC LIMIT 1`,
      ),
    ).toEqual([{ actor_id: admin.user.id, target_type: 'search', data: { q: 'jacquard' } }]);
  });

  it('is refused to others, and for a text that is too short, too long or missing', async () => {
    expect(codeOf(await ask('loom', ada).expect(403))).toBe('FORBIDDEN');
    for (const text of ['a', ' ', 'x'.repeat(101), 'a b c d e f', ''])
      expect(codeOf(await ask(text).expect(400))).toBe('VALIDATION_ERROR');
  });
});
