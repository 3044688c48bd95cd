import { Injectable } from '@nestjs/common';
import type { ClientBase, QueryResult } from 'pg';
import type { EntityManager } from 'typeorm';
import { Database } from './database';
import { currentContext, withRequestContext } from '../observability/request-context';
import { mustBeRepeated } from './database-errors';
import { PlatformFailures } from '../platform.failures';
import { err, type Err, type Result } from '../result';
import { EVERY_TENANT, isSameScope, scopeStatements, type Scope, type TenantScope } from './tenant-scope';

/** Maximum number of attempts at a transaction that ends in a deadlock. */
const ATTEMPTS = 3;

/**
 * How the tenant's row is locked until the transaction ends:
 * - `shared`: it cannot be deleted in the meantime;
 * - `serial`: transactions that also request `serial` run one after the other, for example to
 *   count;
 * - `exclusive`: no other transaction works in the tenant;
 * - `none`: no lock, because the transaction creates the tenant.
 */
export type TenantLock = 'shared' | 'serial' | 'exclusive' | 'none';

const LOCKS = { shared: 'KEY SHARE', serial: 'NO KEY UPDATE', exclusive: 'UPDATE' } as const;

/** Carries an Err through TypeORM's transaction, which only rolls back on exceptions. */
class Rollback extends Error {
  constructor(readonly refusal: Err) {
    super(refusal.failure.code);
  }
}

/** Runs a command's work in one transaction. */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /**
   * The manager of the running transaction. Outside of one, each statement is its own transaction.
   */
  get manager(): EntityManager {
    return currentContext().transaction ?? this.database.manager;
  }

  /**
   * The rows of one statement, in the running transaction or as its own. Outside of a transaction
   * it goes straight to pg, which takes a third of the time that TypeORM takes.
   */
  async query<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    const transaction = currentContext().transaction;
    if (!transaction) return this.database.query<Row>(sql, parameters);
    return (await transaction.queryRunner!.query(sql, parameters, true)).records as Row[];
  }

  /**
   * Locks this name until the transaction ends: others that request the lock wait. For limits that
   * count rows, which the lock of a single row cannot protect.
   */
  async lockByName(name: string): Promise<void> {
    await this.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  }

  /**
   * Runs work in a transaction that sees no tenant's rows. An Err rolls back, as an exception does.
   * A nested call joins the running transaction. After a deadlock the work is repeated from the
   * start, so it must have no effects outside of the database.
   */
  transaction<T, C extends string = never>(work: () => Promise<Result<T, C>>): Promise<Result<T, C>> {
    return currentContext().transaction ? work() : this.begin(work);
  }

  /**
   * The same with access to the rows of one tenant, whose row is locked first.
   * @param scope the tenant; an actor is a scope, too: the tenant that is active in the token
   * @returns NOT_FOUND when the tenant was deleted after the token was issued; not without a lock
   */
  inTenant<T, C extends string = never, L extends TenantLock = 'shared'>(
    scope: TenantScope,
    work: () => Promise<Result<T, C>>,
    lock?: L,
  ): Promise<Result<T, C | (L extends 'none' ? never : 'NOT_FOUND')>>;
  inTenant<T, C extends string>(
    scope: TenantScope,
    work: () => Promise<Result<T, C>>,
    lock: TenantLock = 'shared',
  ): Promise<Result<T, C | 'NOT_FOUND'>> {
    return this.inScope<T, C | 'NOT_FOUND'>(
      scope,
      async () => ((await this.lockTenant(scope, lock)) ? work() : err(PlatformFailures.notFound)),
      work,
    );
  }

  /**
   * The same with access to the rows of all tenants: for webhooks, jobs, operators and one-time
   * tokens.
   */
  acrossTenants<T, C extends string = never>(work: () => Promise<Result<T, C>>): Promise<Result<T, C>> {
    const enter = async () => {
      await this.send(scopeStatements(EVERY_TENANT));
      return work();
    };
    return this.inScope(EVERY_TENANT, enter, work);
  }

  /** Begins with `enter`, or joins the running transaction of the same scope with `work`. */
  private inScope<T, C extends string>(
    scope: Scope,
    enter: () => Promise<Result<T, C>>,
    work: () => Promise<Result<T, C>>,
  ): Promise<Result<T, C>> {
    const context = currentContext();
    if (!context.transaction) return this.begin(enter, scope);
    if (!context.scope || !isSameScope(context.scope, scope)) {
      throw new Error('A transaction cannot change its scope.');
    }
    return work();
  }

  /**
   * Sets the scope and locks the tenant's row, in one message. The row is locked before any other,
   * which prevents deadlocks with the deletion of the tenant.
   * @returns whether the tenant exists
   */
  private async lockTenant(scope: TenantScope, lock: TenantLock): Promise<boolean> {
    if (scope.tenantId === null || lock === 'none') {
      await this.send(scopeStatements(scope));
      return true;
    }
    const select = `SELECT FROM tenants WHERE id = app_tenant_id() FOR ${LOCKS[lock]}`;
    const answers = (await this.send(`${scopeStatements(scope)}; ${select}`)) as unknown as QueryResult[];
    return answers.at(-1)!.rowCount === 1;
  }

  /** Through pg: TypeORM does not return the results of several statements. */
  private async send(statements: string): Promise<QueryResult> {
    const connection = (await this.manager.queryRunner!.connect()) as ClientBase;
    return connection.query(statements);
  }

  private async begin<T, C extends string>(work: () => Promise<Result<T, C>>, scope?: Scope): Promise<Result<T, C>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transact(work, scope);
      } catch (error) {
        if (attempt === ATTEMPTS || !mustBeRepeated(error)) throw error;
      }
    }
  }

  private async transact<T, C extends string>(work: () => Promise<Result<T, C>>, scope?: Scope): Promise<Result<T, C>> {
    const context = currentContext();
    try {
      return await this.database.manager.transaction((manager) =>
        withRequestContext({ ...context, transaction: manager, scope }, async () => {
          const result = await work();
          if (!result.ok) throw new Rollback(result);
          return result;
        }),
      );
    } catch (thrown) {
      if (thrown instanceof Rollback) return thrown.refusal as Err<C>;
      throw thrown;
    }
  }
}
