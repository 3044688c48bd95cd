import { Client } from 'pg';
import { setTenantScopeSql } from '../../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../../../src/platform/database/tenant-scope';
import type { SignedInUser } from '../../support/actors';
import { TestApp } from '../../support/app';

const REFUSAL = 'the audit log is append-only';

describe('the erasure of details in the audit log', () => {
  let t: TestApp;
  let actor: SignedInUser;
  beforeAll(async () => {
    t = await TestApp.start();
    actor = await t.actors.signedInUser();
  });
  afterAll(() => t.close());

  /** Runs a statement across tenants, and rolls it back. @returns the rows, or the refusal */
  const attempt = async (url: string, sql: string): Promise<unknown> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}`);
      return (await client.query(sql)).rows;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end();
    }
  };
  const ofActor = () => `WHERE actor_id = '${actor.user.id}'`;
  const erase = () => `SELECT erase_audit_details('${actor.user.id}', 100) AS erased`;

  it('is refused to the service, except by the function of the owner', async () => {
    expect(await attempt(t.database.url, `UPDATE audit_log SET ip = NULL ${ofActor()}`)).toBe(
      'permission denied for table audit_log',
    );
    expect(await attempt(t.database.url, erase())).toEqual([{ erased: 0 }]);
  });

  it('affects no existing account, even if an erasure is stored', async () => {
    const stored = `INSERT INTO account_erasures (user_id, emails, erased_at, deleted_tenant_ids, left_tenant_ids)
      VALUES ('${actor.user.id}', '{}', now(), '{}', '{}')`;
    const client = new Client({ connectionString: t.database.url });
    await client.connect();
    await client.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}; ${stored}`);
    expect((await client.query(erase())).rows).toEqual([{ erased: 0 }]);
    await client.query(`DELETE FROM users WHERE id = '${actor.user.id}'`);
    expect((await client.query<{ erased: number }>(erase())).rows[0].erased).toBeGreaterThan(0);
    expect((await client.query(erase())).rows).toEqual([{ erased: 0 }]);
    await client.end(); // rolls back
  });

  it.each([
    ['its action', `action = 'x'`],
    ['its actor', 'actor_id = NULL'],
    ['its time', `at = now() - interval '1 day'`],
    ['its IP address', `ip = '192.0.2.1'`],
    ['its details', `data = '{"name": "x"}'`],
  ])('is all that the owner can change of an entry: not %s', async (_, change) => {
    const { owner } = t.database.urls;
    expect(await attempt(owner, `UPDATE audit_log SET ${change} ${ofActor()}`)).toBe(REFUSAL);
    expect(await attempt(owner, `UPDATE audit_log SET ip = NULL, data = '{}' ${ofActor()}`)).toEqual([]);
    expect(await attempt(owner, `DELETE FROM audit_log ${ofActor()}`)).toBe(REFUSAL);
  });
});
