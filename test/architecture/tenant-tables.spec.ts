import { Client } from 'pg';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrate } from '../../src/platform/database/migrate';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT, type Scope } from '../../src/platform/database/tenant-scope';
import { TestDatabase } from '../support/database';
import { insertSampleRows, type TenantTable } from '../support/sample-rows';

interface Table extends TenantTable {
  readonly isForced: boolean;
  readonly policies: number;
}

/**
 * All tables whose rows belong to tenants: those with a tenant_id, and tenants itself. Partitions:
 * audit-partitions.spec.ts.
 */
const TENANT_TABLES = `
  SELECT c.relname AS name, a.attname AS column, c.relrowsecurity AND c.relforcerowsecurity AS "isForced",
         (SELECT count(*)::int FROM pg_policy p WHERE p.polrelid = c.oid
           AND pg_get_expr(p.polqual, p.polrelid) LIKE '%app_tenant_id()%') AS policies
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
     AND (a.attname = 'tenant_id' OR (c.relname = 'tenants' AND a.attname = 'id'))
   ORDER BY 1`;

describe('Tables with rows of tenants', () => {
  let database: TestDatabase;
  let service: Client;
  const tables = () => database.query<Table>(TENANT_TABLES);
  const unprotected = async () =>
    (await tables()).filter(({ isForced, policies }) => !isForced || policies === 0).map(({ name }) => name);

  beforeAll(async () => {
    database = await TestDatabase.create('template0');
    await migrate(database.urls, ENTITY_CLASSES);
    service = new Client({ connectionString: database.url });
    await service.connect();
  });
  afterAll(async () => {
    await service.end();
    await database.drop();
  });

  /** Runs a statement with the role of the service and rolls it back. */
  const within = async <T extends object>(
    scope: Scope | undefined,
    sql: string,
  ): Promise<{ rows: T[]; count: number | null }> => {
    await service.query(`BEGIN; ${scope ? setTenantScopeSql(scope) : ''}`);
    try {
      const { rows, rowCount } = await service.query<T>(sql);
      return { rows, count: rowCount };
    } finally {
      await service.query('ROLLBACK');
    }
  };

  it('have a policy that applies to their owner too, and a table without one is reported', async () => {
    expect(await unprotected()).toEqual([]);
    await database.query('CREATE TABLE forgotten (tenant_id uuid); ALTER TABLE projects NO FORCE ROW LEVEL SECURITY');
    expect(await unprotected()).toEqual(['forgotten', 'projects']);
    await database.query('DROP TABLE forgotten; ALTER TABLE projects FORCE ROW LEVEL SECURITY');
  });

  it('are used by a role that cannot bypass policies and owns none of them', async () => {
    const [role] = (
      await service.query('SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user')
    ).rows;
    expect(role).toEqual({ rolname: 'tenantry', rolsuper: false, rolbypassrls: false });
    const owners = await database.query<{ tableowner: string }>(
      `SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(owners).toEqual([{ tableowner: 'tenantry_owner' }]);
  });

  describe('with rows of two tenants', () => {
    const [a, b] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];
    const user = '00000000-0000-7000-8000-000000000001';
    beforeAll(async () => {
      await database.query(
        `INSERT INTO users (id, email, name, is_email_verified, created_at)
          VALUES ('${user}', 'u@example.com', 'U', true, now())`,
      );
      for (const tenant of [a, b]) await insertSampleRows(database, await tables(), tenant, user);
    });

    it('get their sample rows from types, checks and foreign keys, a new table too', async () => {
      await database.query(`
        CREATE TABLE invoices (tenant_id uuid NOT NULL REFERENCES tenants (id), id uuid NOT NULL, role_id uuid NOT NULL,
          payer_id uuid NOT NULL REFERENCES users (id), number text NOT NULL UNIQUE, due_at timestamptz,
          tags text[] NOT NULL,
          state text NOT NULL CHECK (state IN ('open', 'paid')), amount integer NOT NULL CHECK (amount > 0),
          is_sent boolean NOT NULL DEFAULT false, PRIMARY KEY (tenant_id, id),
          FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id))`);
      const table = { name: 'invoices', column: 'tenant_id' };
      for (const tenant of [a, b]) await insertSampleRows(database, [table], tenant, user);
      const rows = await database.query<{ state: string }>('SELECT * FROM invoices ORDER BY tenant_id');
      expect(rows).toMatchObject([
        { tenant_id: a, payer_id: user, state: 'open', amount: 1, is_sent: false, due_at: null },
        { tenant_id: b },
      ]);
      await database.query('ALTER TABLE invoices ADD area box NOT NULL DEFAULT $$0,0,1,1$$');
      await database.query('ALTER TABLE invoices ALTER area DROP DEFAULT');
      await expect(insertSampleRows(database, [table], a, user)).rejects.toThrow(
        'Add a value of the type box, of invoices.area, to test/support/sample-rows.ts.',
      );
      await database.query('DROP TABLE invoices');
    });

    it('return only rows of the scope to a SELECT without WHERE', async () => {
      for (const { name, column } of await tables()) {
        const seen = async (scope?: Scope) =>
          (await within<{ tenant: string }>(scope, `SELECT ${column} AS tenant FROM ${name} ORDER BY 1`)).rows.map(
            ({ tenant }) => tenant,
          );
        expect([name, await seen({ tenantId: a, userId: user })]).toEqual([name, [a]]);
        expect([name, await seen({ tenantId: b, userId: user })]).toEqual([name, [b]]);
        expect([name, await seen({ tenantId: null, userId: user })]).toEqual([name, []]);
        expect([name, await seen()]).toEqual([name, []]);
        expect([name, await seen(EVERY_TENANT)]).toEqual([name, [a, b]]);
      }
    });

    it('allow an UPDATE or DELETE without WHERE to change only rows of the scope', async () => {
      for (const { name, column } of await tables()) {
        for (const sql of [`UPDATE ${name} SET ${column} = ${column}`, `DELETE FROM ${name}`]) {
          const scope = { tenantId: a, userId: user };
          const outcome = await within(scope, sql).then(
            ({ count }) => count,
            (error: { message: string }) => error.message,
          );
          const expected = name === 'audit_log' ? 'permission denied for table audit_log' : 1;
          const pointedTo =
            name === 'roles' && sql.startsWith('DELETE') ? expect.stringContaining('foreign key') : expected;
          expect([sql, outcome]).toEqual([sql, pointedTo]);
        }
      }
    });

    it('reject rows of another tenant', async () => {
      const smuggle = within({ tenantId: a, userId: user }, `UPDATE projects SET tenant_id = '${b}'`);
      await expect(smuggle).rejects.toThrow('row-level security');
      const insert = `INSERT INTO projects VALUES ('${b}', gen_random_uuid(), 'P', false, now())`;
      await expect(within({ tenantId: a }, insert)).rejects.toThrow('row-level security');
      await expect(within(undefined, insert)).rejects.toThrow('row-level security');
    });

    it('reject audit entries of another tenant, and accept those of a session without a scope', async () => {
      const entry = (tenant: string | null, target: string) => {
        const values = `gen_random_uuid(), now(), 'x', NULL, NULL, ${tenant ? `'${tenant}'` : 'NULL'},
          '${target}', 'x', NULL, 'x', '{}'`;
        return `INSERT INTO audit_log VALUES (${values})`;
      };
      const scope = { tenantId: a, userId: user };
      for (const target of ['project', 'session']) {
        await expect(within(scope, entry(b, target))).rejects.toThrow('row-level security');
        for (const tenant of [a, null]) expect((await within(scope, entry(tenant, target))).count).toBe(1);
        expect((await within(EVERY_TENANT, entry(b, target))).count).toBe(1);
      }
      await expect(within(undefined, entry(b, 'project'))).rejects.toThrow('row-level security');
      expect((await within(undefined, entry(b, 'session'))).count).toBe(1);
    });

    it('follow the scope of the transaction, whatever is set for the connection', async () => {
      await service.query(`SET app.across_tenants = 'on'; SET app.tenant_id = '${b}'; SET app.user_id = '${b}'`);
      try {
        for (const [scope, seen] of [[{ tenantId: a }, [a]] as const, [{ tenantId: null }, []] as const]) {
          const { rows } = await within<{ tenant: string }>(scope, 'SELECT tenant_id AS tenant FROM projects');
          expect(rows.map(({ tenant }) => tenant)).toEqual(seen);
          expect((await within({ tenantId: a }, 'SELECT FROM notifications')).count).toBe(0);
        }
      } finally {
        await service.query('RESET app.across_tenants; RESET app.tenant_id; RESET app.user_id');
      }
    });

    it('return a notification only to its user', async () => {
      expect((await within({ tenantId: a, userId: b }, 'SELECT FROM notifications')).count).toBe(0);
      expect((await within({ tenantId: a }, 'SELECT FROM notifications')).count).toBe(0);
    });

    it('return nothing after the end of the transaction', async () => {
      await service.query(`BEGIN; ${setTenantScopeSql({ tenantId: a, userId: user })}; COMMIT`);
      await service.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}; COMMIT`);
      expect((await service.query('SELECT FROM projects')).rowCount).toBe(0);
    });

    it('let a user read their own memberships across tenants and nothing else', async () => {
      expect((await service.query('SELECT tenant_id FROM memberships_of($1) ORDER BY 1', [user])).rows).toEqual([
        { tenant_id: a },
        { tenant_id: b },
      ]);
      expect((await service.query('SELECT FROM memberships_of($1)', [a])).rowCount).toBe(0);
      const { rows } = await within<{ seen: number }>(
        undefined,
        `SELECT (SELECT count(*)::int FROM memberships_of('${user}')), (SELECT count(*)::int FROM projects) AS seen`,
      );
      expect(rows[0].seen).toBe(0);
    });
  });

  it('reject a scope that is not a valid id', () => {
    expect(() => setTenantScopeSql({ tenantId: `x'; SET app.across_tenants = 'on` })).toThrow('ids');
    expect(() => setTenantScopeSql({ tenantId: '' })).toThrow('ids');
  });
});
