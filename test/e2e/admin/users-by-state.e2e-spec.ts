import { firstIdAt, newId } from '../../../src/platform/ids';
import { type SignedInUser } from '../../support/actors';
import { codeOf } from '../../support/error-code';
import { TestApp } from '../../support/app';

describe('users by state for operators', () => {
  let t: TestApp;
  let admin: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start({ env: { WORKER: 'off', ADMIN_EMAILS: 'root@example.com, unproven@example.com' } });
    admin = await t.actors.admin({ email: 'operator@example.com' });
    await t.actors.user({ email: 'plain@example.com' });
    await t.actors.user({ email: 'root@example.com' });
    await t.actors.user({ email: 'unproven@example.com', isEmailVerified: false });
    await t.actors.user({ email: 'granted-unproven@example.com', isEmailVerified: false, isAdmin: true });
    await t.actors.user({ email: 'closed@example.com', disabledAt: new Date(0) });
    await t.actors.user({ email: 'closed-admin@example.com', disabledAt: new Date(0), isAdmin: true });
  });
  afterAll(() => t.close());

  const list = async (query: object) =>
    (await t.api.get('/admin/users').query(query).set(admin.bearer).expect(200)).body.data;
  const names = async (query: object) =>
    (await list(query)).items.map(({ email }: { email: string }) => email.split('@')[0]);

  /** The query plan of the list. */
  const planOf = async (state: string) => {
    const page = (condition: string) =>
      `SELECT * FROM (SELECT * FROM users WHERE ${condition}) r WHERE r.id < '${newId()}' ORDER BY r.id DESC LIMIT 21`;
    const sql = {
      disabled: page('disabled_at IS NOT NULL'),
      unverified: page('NOT is_email_verified'),
      admin: `SELECT id FROM users WHERE is_email_verified AND (is_admin OR email = ANY('{root@example.com}'))`,
    }[state];
    await t.database.query('ANALYZE users');
    return JSON.stringify(await t.database.query(`EXPLAIN ${sql}`));
  };

  it('are listed newest first: disabled, unverified or admin', async () => {
    expect(await names({ state: 'disabled' })).toEqual(['closed-admin', 'closed']);
    expect(await names({ state: 'unverified' })).toEqual(['granted-unproven', 'unproven']);
    expect(await names({ state: 'admin' })).toEqual(['closed-admin', 'root', 'operator']);
    const all = (await list({ limit: 100 })).items as { email: string; isAdmin: boolean }[];
    expect((await list({ state: 'admin' })).items).toEqual(all.filter(({ isAdmin }) => isAdmin));
    expect(codeOf(await t.api.get('/admin/users?state=lost').set(admin.bearer).expect(400))).toBe('VALIDATION_ERROR');
  });

  it('can be searched by words and by id', async () => {
    expect(await names({ state: 'admin', search: 'root exam' })).toEqual(['root']);
    expect(await names({ state: 'admin', search: 'plain' })).toEqual([]);
    expect(await names({ state: 'disabled', search: 'closed' })).toEqual(['closed-admin', 'closed']);
    expect(await names({ state: 'unverified', search: 'granted' })).toEqual(['granted-unproven']);
    expect(await names({ state: 'admin', search: admin.user.id })).toEqual(['operator']);
    expect(await names({ state: 'disabled', search: admin.user.id })).toEqual([]);
  });

  it.each([
    ['admin', 3],
    ['disabled', 2],
    ['unverified', 2],
  ])('are listed page by page, few or many, each once: %s', async (state, before) => {
    // few among many, and older than all others
    await t.database.query(
      `INSERT INTO users (id, email, name, is_email_verified, is_admin, disabled_at, created_at)
       SELECT ($1 || lpad(to_hex(i), 12, '0'))::uuid, 'crowd' || i || '@crowd.example', 'Sparrow',
              $2 <> 'unverified' OR i % 2500 <> 7, $2 = 'admin' AND i % 2500 = 7, CASE WHEN $2 = 'disabled'
                AND i % 2500 = 7 THEN now() END, now()
         FROM generate_series(1, 10000) i`,
      [firstIdAt(new Date(86_400_000)).slice(0, 24), state],
    );
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await list({ state, limit: 2, cursor });
      found.push(...items.map(({ id }: { id: string }) => id));
      cursor = nextCursor ?? undefined;
    } while (cursor);
    expect(found).toHaveLength(before + 4);
    expect(found).toEqual([...new Set(found)].sort().reverse());
    expect(await planOf(state)).toContain(`users_${state}_id_idx`);
    await t.database.query(`DELETE FROM users WHERE email LIKE 'crowd%'`);
  });
});
