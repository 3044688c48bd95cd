import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from './database';
import { requestContext, withRequestContext, type RequestContext } from './request-context';
import { type Err, type Failure, type Result } from './result';

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

  /** All or nothing: an Err rolls back just as a thrown error does. A nested run joins the outer one. */
  async run<T, F extends Failure>(work: () => Promise<Result<T, F>>): Promise<Result<T, F>> {
    const context = requestContext() ?? OUTSIDE;
    if (context.transaction) return work();
    try {
      return await this.database.manager.transaction((manager) =>
        withRequestContext({ ...context, transaction: manager }, async () => {
          const result = await work();
          if (!result.ok) throw new Rollback(result);
          return result;
        }),
      );
    } catch (thrown) {
      if (thrown instanceof Rollback) return thrown.refusal as Err<F>;
      throw thrown;
    }
  }
}
