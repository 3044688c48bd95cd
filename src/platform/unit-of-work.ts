import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from './database';
import { requestContext, withRequestContext, type RequestContext } from './request-context';
import { isForeignKeyViolation } from './database-errors';
import { PlatformFailures } from './platform.failures';
import { err, type Err, type Result } from './result';
import { isSameScope, scopeStatements, type Scope } from './tenant-scope';

/** Work that no request and no job asked for, such as a schedule. */
const OUTSIDE: RequestContext = { requestId: 'none', ip: null, userAgent: null };

/** Carries an Err through TypeORM's transaction, which rolls back on a thrown error only. */
class Rollback extends Error {
  constructor(readonly refusal: Err) {
    super(refusal.failure.code);
  }
}

/** One command, one transaction: the word that a handler says around all that must happen together. */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /** The manager of the running transaction; outside of one, a single statement is its own transaction. */
  get manager(): EntityManager {
    return requestContext()?.transaction ?? this.database.manager;
  }

  /**
   * The rows of one statement, in the running transaction or as its own. Outside of one it goes straight through pg, which takes a third of the
   * time that TypeORM takes for it.
   */
  async query<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    const transaction = requestContext()?.transaction;
    if (!transaction) return this.database.query<Row>(sql, parameters);
    return (await transaction.queryRunner!.query(sql, parameters, true)).records as Row[];
  }

  /**
   * All or nothing: an Err rolls back just as a thrown error does. A nested run joins the outer one. It sees no tenant's rows; `within` does.
   */
  run<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    return requestContext()?.transaction ? work() : this.begin(work);
  }

  /**
   * The same for work on the rows of a tenant. An actor is a scope: that of the tenant which is active in their token.
   * @returns NOT_FOUND when the tenant has been deleted meanwhile
   */
  async within<T>(scope: Scope, work: () => Promise<Result<T>>): Promise<Result<T>> {
    const context = requestContext();
    if (context?.transaction) {
      if (!context.scope || !isSameScope(context.scope, scope)) throw new Error('A transaction keeps the scope that it began with.');
      return work();
    }
    try {
      return await this.begin(work, scope);
    } catch (error) {
      if (isForeignKeyViolation(error, /_tenant_id_fkey$/)) return err(PlatformFailures.notFound);
      throw error;
    }
  }

  private async begin<T>(work: () => Promise<Result<T>>, scope?: Scope): Promise<Result<T>> {
    const context = requestContext() ?? OUTSIDE;
    try {
      return await this.database.manager.transaction((manager) =>
        withRequestContext({ ...context, transaction: manager, scope }, async () => {
          if (scope) await manager.query(scopeStatements(scope));
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
