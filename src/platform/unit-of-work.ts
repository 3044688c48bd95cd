import { Injectable } from '@nestjs/common';
import type { ClientBase, QueryResult } from 'pg';
import type { EntityManager } from 'typeorm';
import { Database } from './database';
import { currentContext, withRequestContext } from './request-context';
import { mustBeRepeated } from './database-errors';
import { PlatformFailures } from './platform.failures';
import { err, type Err, type Result } from './result';
import { EVERY_TENANT, isSameScope, scopeStatements, type Scope } from './tenant-scope';

/** How often a transaction is begun that deadlocked with another. */
const ATTEMPTS = 3;

/**
 * How a tenant is there while work goes on: `kept` until the transaction ends; `in-turn`, one after
 * the other with who says so too (to count, and be right when the transaction ends); `alone`, with
 * nobody else at work in it; `new`, only being made.
 */
export type TenantHold = 'kept' | 'in-turn' | 'alone' | 'new';

const LOCKS = { kept: 'KEY SHARE', 'in-turn': 'NO KEY UPDATE', alone: 'UPDATE' } as const;

/** Carries an Err through TypeORM's transaction, which rolls back on a thrown error only. */
class Rollback extends Error {
  constructor(readonly refusal: Err) {
    super(refusal.failure.code);
  }
}

/**
 * One command, one transaction: the word that a handler says around all that must happen together.
 */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /**
   * The manager of the running transaction; outside of one, a single statement is its own
   * transaction.
   */
  get manager(): EntityManager {
    return currentContext().transaction ?? this.database.manager;
  }

  /**
   * The rows of one statement, in the running transaction or as its own. Outside of one it goes
   * straight through pg, which takes a third of the time that TypeORM takes for it.
   */
  async query<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    const transaction = currentContext().transaction;
    if (!transaction) return this.database.query<Row>(sql, parameters);
    return (await transaction.queryRunner!.query(sql, parameters, true)).records as Row[];
  }

  /**
   * All or nothing: an Err rolls back just as a thrown error does. A nested run joins the outer
   * one. It sees no tenant's rows; `within` does. Work that deadlocks with other work is done again
   * from the start: it must not have done anything but in the database.
   */
  run<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    return currentContext().transaction ? work() : this.begin(work);
  }

  /**
   * The same for work on the rows of a tenant. An actor is a scope: that of the tenant which is
   * active in their token.
   * @returns NOT_FOUND when the tenant has been deleted while the token still lives
   */
  within<T>(scope: Scope, work: () => Promise<Result<T>>, tenant: TenantHold = 'kept'): Promise<Result<T>> {
    const context = currentContext();
    if (!context.transaction) return this.begin(() => this.ifTenantIsThere(scope, tenant, work), scope);
    if (!context.scope || !isSameScope(context.scope, scope))
      throw new Error('A transaction keeps the scope that it began with.');
    return work();
  }

  /**
   * The tenant's row is taken before any other, so that nobody who works in a tenant waits in a
   * circle with who deletes it. One message with the scope.
   */
  private async ifTenantIsThere<T>(
    scope: Scope,
    tenant: TenantHold,
    work: () => Promise<Result<T>>,
  ): Promise<Result<T>> {
    // TypeORM gives no answers of several statements
    const connection = (await this.manager.queryRunner!.connect()) as ClientBase;
    if (scope === EVERY_TENANT || scope.tenantId === null || tenant === 'new') {
      await connection.query(scopeStatements(scope));
      return work();
    }
    const hold = `SELECT FROM tenants WHERE id = app_tenant_id() FOR ${LOCKS[tenant]}`;
    const answers = (await connection.query(`${scopeStatements(scope)}; ${hold}`)) as unknown as QueryResult[];
    return answers.at(-1)!.rowCount === 1 ? work() : err(PlatformFailures.notFound);
  }

  private async begin<T>(work: () => Promise<Result<T>>, scope?: Scope): Promise<Result<T>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transact(work, scope);
      } catch (error) {
        if (attempt === ATTEMPTS || !mustBeRepeated(error)) throw error;
      }
    }
  }

  private async transact<T>(work: () => Promise<Result<T>>, scope?: Scope): Promise<Result<T>> {
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
      if (thrown instanceof Rollback) return thrown.refusal;
      throw thrown;
    }
  }
}
