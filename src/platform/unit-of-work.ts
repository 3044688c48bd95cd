import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from './database';
import { type Err, type Failure, type Result } from './result';

/** Carries an Err through TypeORM's transaction, which rolls back on a thrown error only. */
class Rollback extends Error {
  constructor(readonly refusal: Err) {
    super(refusal.failure.code);
  }
}

/** One command, one transaction: the word that a handler says around all that must happen together. */
@Injectable()
export class UnitOfWork {
  private readonly running = new AsyncLocalStorage<EntityManager>();

  constructor(private readonly database: Database) {}

  /** The manager of the running transaction; outside of one, a single statement is its own transaction. */
  get manager(): EntityManager {
    return this.running.getStore() ?? this.database.manager;
  }

  /** All or nothing: an Err rolls back just as a thrown error does. A nested run joins the outer one. */
  async run<T, F extends Failure>(work: () => Promise<Result<T, F>>): Promise<Result<T, F>> {
    if (this.running.getStore()) return work();
    try {
      return await this.database.manager.transaction((manager) =>
        this.running.run(manager, async () => {
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
