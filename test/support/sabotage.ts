import { Client } from 'pg';

/**
 * `tenant_id = $n`, `m.tenant_id = $n`, `"Role"."tenant_id" = $n`, and the tenant's own `id` where
 * a statement is about tenants.
 */
const CONDITION = /(?:"?\w+"?\.)?(?<!\w)"?tenant_id"? = (\$\d+)/g;
const CONDITION_OR_NONE = /coalesce\(tenant_id, (\$\d+)\) IS NOT DISTINCT FROM \$\d+/g;
const TENANT_ITSELF = /(FROM|UPDATE) tenants\b([^;]*?)WHERE id = (\$\d+)/g;

/**
 * Takes the condition on the tenant out of the statements that are sent, as if it had been
 * forgotten; its parameter stays in use. What then still keeps tenants apart is row-level security.
 * Make it before the service, whose connections remember how they send, and `begin` when it is
 * time.
 */
export class Sabotage {
  /** Statements that lost a condition. */
  damaged = 0;
  private active = false;
  private readonly spy: jest.SpyInstance;

  constructor() {
    const send = Client.prototype.query as (...parameters: unknown[]) => unknown;
    const damage = (sql: unknown) => (this.active && typeof sql === 'string' ? this.withoutConditions(sql) : sql);
    this.spy = jest.spyOn(Client.prototype, 'query').mockImplementation(function (
      this: Client,
      sql: unknown,
      ...rest: unknown[]
    ) {
      return send.call(this, damage(sql), ...rest);
    });
  }

  begin(): void {
    this.active = true;
  }

  end(): void {
    this.spy.mockRestore();
  }

  /** Not where somebody chooses among their own tenants: no other is there to choose. */
  private withoutConditions(sql: string): string {
    if (sql.includes('memberships_of')) return sql;
    const damaged = sql
      .replace(CONDITION, '($1::uuid IS NOT NULL)')
      .replace(CONDITION_OR_NONE, '($1::uuid IS NOT NULL)')
      .replace(TENANT_ITSELF, '$1 tenants$2WHERE ($3::uuid IS NOT NULL)');
    if (damaged !== sql) this.damaged++;
    return damaged;
  }
}
