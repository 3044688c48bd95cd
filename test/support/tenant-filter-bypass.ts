import { Client } from 'pg';
import { PreparedQuery } from '../../src/platform/database/prepared-query';
import { StatementBatch, type Statement } from '../../src/platform/database/statement-batch';

/**
 * Matches `tenant_id = $n`, `m.tenant_id = $n`, `"Role"."tenant_id" = $n`, and `id = $n` in
 * statements on tenants.
 */
const CONDITION = /(?:"?\w+"?\.)?(?<!\w)"?tenant_id"? = (\$\d+)/g;
const CONDITION_OR_NONE = /coalesce\((?:"?\w+"?\.)?"?tenant_id"?, (\$\d+)\) IS NOT DISTINCT FROM \$\d+/g;
const TENANT_ITSELF = /((?:FROM|UPDATE) "?tenants\b[^;]*?WHERE \(*)(?:"?\w+"?\.)?"?id"? = (\$\d+)/g;

/**
 * Removes the condition on the tenant from all statements, as if it had been forgotten, so that
 * only row-level security separates tenants. The parameter stays in use. Create it before the
 * service, whose connections keep the patched function, and call `start` to begin.
 */
export class TenantFilterBypass {
  /** The number of statements from which a condition was removed. */
  changed = 0;
  private active = false;
  private readonly spy: jest.SpyInstance;

  constructor() {
    const send = Client.prototype.query as (...parameters: unknown[]) => unknown;
    const change = (statement: unknown) => (this.active ? this.change(statement) : statement);
    this.spy = jest.spyOn(Client.prototype, 'query').mockImplementation(function (
      this: Client,
      statement: unknown,
      ...rest: unknown[]
    ) {
      return send.call(this, change(statement), ...rest);
    });
  }

  start(): void {
    this.active = true;
  }

  stop(): void {
    this.spy.mockRestore();
  }

  /** A changed statement loses its name, under which PostgreSQL knows the original. */
  private change(statement: unknown): unknown {
    if (typeof statement === 'string') return this.withoutConditions(statement);
    if (statement instanceof StatementBatch) return this.changeBatch(statement);
    if (statement instanceof PreparedQuery) return this.changePrepared(statement);
    return this.changeStatement(statement as Statement);
  }

  private changeStatement(statement: Statement): Statement {
    const { text, values } = statement;
    const changed = this.withoutConditions(text);
    return changed === text ? statement : { text: changed, values };
  }

  private changePrepared(query: PreparedQuery): PreparedQuery {
    const text = this.withoutConditions(query.text);
    return text === query.text ? query : Object.assign(query, { text, name: `${query.name!}-changed` });
  }

  private changeBatch(batch: StatementBatch<object>): StatementBatch<object> {
    const statements = batch.statements.map((statement) => this.changeStatement(statement));
    const { text, name } = statements[0];
    return Object.assign(batch, { statements, text, name });
  }

  /** Skips statements that select among the user's own tenants, which return no others. */
  private withoutConditions(sql: string): string {
    if (sql.includes('memberships_of')) return sql;
    const changed = sql
      .replace(CONDITION, '($1::uuid IS NOT NULL)')
      .replace(CONDITION_OR_NONE, '($1::uuid IS NOT NULL)')
      .replace(TENANT_ITSELF, '$1($2::uuid IS NOT NULL)');
    if (changed !== sql) this.changed++;
    return changed;
  }
}
