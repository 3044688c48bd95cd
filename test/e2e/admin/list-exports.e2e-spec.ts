import { CsvFile } from '../../../src/http/responses/csv-file';
import { cutNotice } from '../../../src/http/responses/csv-rows';
import { ok } from '../../../src/platform/result';
import type { SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

const BYTE_ORDER_MARK = '\uFEFF';

describe('the lists for operators as CSV files', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off' } });
    admin = await t.actors.admin({ email: 'operator@tenantry.test' });
  });
  afterAll(() => t.close());

  const get = (path: string, by = admin) => t.api.get(`/admin/${path}`).set(by.bearer);
  /** The lines of a file, without its header. */
  const linesOf = async (path: string) => {
    const { text, headers } = await get(path).expect(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(text.startsWith(BYTE_ORDER_MARK)).toBe(true);
    return text.trimEnd().split('\r\n').slice(1);
  };
  const exportsIn = async (type: string) =>
    t.database.query<{ actor_id: string; data: object }>(
      `SELECT actor_id, data FROM audit_log WHERE action = 'admin.exported' AND target_type = $1 ORDER BY id`,
      [type],
    );

  it('have the rows of the list with its filters, and a name with the day', async () => {
    const ada = await t.actors.user({ email: 'ada@export.example', name: 'Lovelace, "Ada"' });
    const off = await t.actors.user({ email: 'off@export.example', name: '=1+1', disabledAt: t.clock.now() });
    const { text, headers } = await get('users/export?search=export.example').expect(200);
    const day = t.clock.now().toISOString().slice(0, 10);
    expect(headers['content-disposition']).toBe(`attachment; filename="users-${day}.csv"`);
    const [header, ...rows] = text.trimEnd().split('\r\n');
    expect(header).toBe(
      `${BYTE_ORDER_MARK}id,email,name,isEmailVerified,isAdmin,disabledAt,lastSignInAt,lastSignInMethod,createdAt`,
    );
    expect(rows).toEqual([
      `${off.id},off@export.example,'=1+1,true,false,${off.disabledAt!.toISOString()},,,${off.createdAt.toISOString()}`,
      `${ada.id},ada@export.example,"Lovelace, ""Ada""",true,false,,,,${ada.createdAt.toISOString()}`,
    ]);
    expect(await linesOf('users/export?search=export.example&state=disabled')).toHaveLength(1);
    expect(await exportsIn('user')).toEqual([
      { actor_id: admin.user.id, data: { search: 'export.example' } },
      { actor_id: admin.user.id, data: { search: 'export.example', state: 'disabled' } },
    ]);
  });

  it('exist of tenants, the audit log, webhook events and jobs', async () => {
    const owner = await t.actors.owner({ tenantName: 'Export Works' });
    await t.database.query(
      `INSERT INTO webhook_events (id, event_id, type, status, created_at, received_at, payload)
       VALUES (gen_random_uuid(), 'evt_1', 'invoice.paid', 'processed', now(), now(), '{}')`,
    );
    await t.database.query(`SELECT graphile_worker.add_job('send-link-mail', '{"command": {"email": "a@b.c"}}')`);
    expect(await linesOf('tenants/export?search=export')).toEqual([
      expect.stringMatching(new RegExp(`^${owner.tenantId},Export Works,Free,Active,,,,1,${owner.user.id},`)),
    ]);
    const signIns = await linesOf(`audit-log/export?actor=${owner.user.id}&action=user.signed-in`);
    expect(signIns).toEqual([expect.stringContaining('"{""method"":""password""}"')]);
    expect(await linesOf('webhook-events/export?type=invoice')).toEqual([expect.stringContaining('evt_1')]);
    expect(await linesOf('jobs/export?task=send-link-mail')).toEqual([
      expect.stringMatching(/,"\{""email"":""a@b.c""\}",$/),
    ]);
    for (const type of ['tenant', 'audit-log', 'webhook-event', 'job'])
      expect([type, (await exportsIn(type)).length]).toEqual([type, 1]);
  });

  it('have all rows of many pages, each once', async () => {
    await t.database.query(
      `INSERT INTO users (id, email, name, is_email_verified, created_at)
       SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'row' || i || '@crowd.example',
              'Sparrow', true, now()
         FROM generate_series(1, 2500) i`,
    );
    const rows = await linesOf('users/export?search=crowd.example');
    expect(new Set(rows.map((row) => row.slice(0, 36))).size).toBe(2500);
    await t.database.query(`DELETE FROM users WHERE email LIKE 'row%'`);
  });

  it('say in their last line that they were cut', async () => {
    const content = { name: 'numbers', day: new Date(0), columns: { id: ({ id }: { id: string }) => id } };
    const page = { items: [{ id: '1' }, { id: '2' }], nextCursor: 'next' };
    const file = await CsvFile.of(content, () => Promise.resolve(ok(page)), 3);
    if (!file.ok) throw new Error('refused');
    const text = await file.value.getStream().toArray();
    expect(text.join('').split('\r\n')).toEqual([`${BYTE_ORDER_MARK}id`, '1', '2', '1', cutNotice(3), '']);
  });

  it('are refused to others, with a malformed filter, and after the access was revoked', async () => {
    const owner = await t.actors.owner();
    for (const list of ['users', 'tenants', 'audit-log', 'webhook-events', 'jobs'])
      expect(codeOf(await get(`${list}/export`, owner).expect(403))).toBe('FORBIDDEN');
    expect(codeOf(await get('users/export?state=gone').expect(400))).toBe('VALIDATION_ERROR');
    const former = await t.actors.admin();
    await t.database.query('UPDATE users SET is_admin = false WHERE id = $1', [former.user.id]);
    expect(codeOf(await get('users/export', former).expect(403))).toBe('FORBIDDEN');
    expect((await exportsIn('user')).some(({ actor_id }) => actor_id === former.user.id)).toBe(false);
  });
});
