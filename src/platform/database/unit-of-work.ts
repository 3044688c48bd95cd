import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from './database';
import type { DatabaseFunction } from './database-function';
import {
  currentContext,
  withRequestContext,
  type LockedTenant,
  type RequestContext,
} from '../observability/request-context';
import { mustBeRepeated, OutcomeUnknown } from './database-errors';
import { ClaimLost } from '../idempotency/idempotency-claim';
import { PlatformFailures } from '../platform.failures';
import { err, ok, type Ok, type Result } from '../result';
import { SHOW_DELETED_TENANT_SQL, setTenantScopeSql } from './set-tenant-scope';
import { EVERY_TENANT, isSameScope, type Scope, type TenantScope } from './tenant-scope';
import { Transaction } from './transaction';

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

/** A statement that writes. In a transaction, COMMIT decides. */
const WRITES = /\b(INSERT INTO|DELETE FROM|UPDATE \w+ (\w+ )?SET)\b/;

/** The outcome of a write whose response may be lost. @throws OutcomeUnknown */
const orUnknown = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw OutcomeUnknown.of(error);
  });

type Work<T, C extends string> = () => Promise<Result<T, C>>;

/** Begins a transaction. An Err rolls it back before any work. */
type Begin<C extends string> = (transaction: Transaction) => Result<Begun, C> | Promise<Result<Begun, C>>;

/** The tenant whose row was locked; undefined if none was. */
type Begun = LockedTenant | undefined;

/** Runs a command's work in one transaction. */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /**
   * The manager of the running transaction. Outside of one, each statement is its own transaction.
   */
  get manager(): EntityManager {
    const { transaction, written } = currentContext();
    if (transaction) return transaction.manager;
    written?.forget(); // what it writes goes through TypeORM
    return this.database.manager;
  }

  /**
   * The rows of one statement, in the running transaction or as its own. It goes straight to pg,
   * which takes a third of the time that TypeORM takes.
   */
  query<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    const { transaction } = currentContext();
    if (transaction) return transaction.query<Row>(sql, parameters);
    const answer = this.database.query<Row>(sql, parameters);
    return WRITES.test(sql) ? orUnknown(answer) : answer;
  }

  /** The rows that a function of the database returns. */
  call<Row extends object>(called: DatabaseFunction<Row>, ...parameters: unknown[]): Promise<Row[]> {
    return this.query<Row>(called.statement(parameters.length), parameters);
  }

  /**
   * Sends a statement together with the next one of the running transaction, or with COMMIT: for
   * writes whose result the command does not need. A refusal rolls back, as an exception. Outside
   * of a transaction it is sent at once.
   */
  async write(sql: string, parameters: unknown[]): Promise<void> {
    const transaction = currentContext().transaction;
    if (transaction) transaction.write(sql, parameters);
    else await orUnknown(this.database.query(sql, parameters));
  }

  /**
   * Locks this name until the transaction ends: others that request the lock wait. For limits that
   * count rows, which the lock of a single row cannot protect.
   */
  async lockByName(name: string): Promise<void> {
    await this.write('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  }

  /** Notifies the listeners of a channel, once the running transaction has committed. */
  async notify(channel: string, payload = ''): Promise<void> {
    await this.write('SELECT pg_notify($1, $2)', [channel, payload]);
  }

  /**
   * Adds the row of one tenant to the scope of the running transaction, even if it is deleted.
   * @param tenantId instead of the one that was added before; null: of none
   */
  async showDeletedTenant(tenantId: string | null): Promise<void> {
    await this.write(SHOW_DELETED_TENANT_SQL, [tenantId ?? '']);
  }

  /**
   * Runs work in a transaction that sees no tenant's rows. An Err rolls back, as an exception does.
   * A nested call joins the running transaction. After a deadlock the work is repeated from the
   * start, so it must have no effects outside of the database.
   */
  transaction<T, C extends string = never>(work: () => Promise<Result<T, C>>): Promise<Result<T, C>> {
    return currentContext().transaction ? work() : this.repeat<T, C>(beginLater(), work);
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
    const isUnlocked = scope.tenantId === null || lock === 'none';
    const begin: Begin<'NOT_FOUND'> = isUnlocked ? beginLater(setTenantScopeSql(scope)) : beginLocked(scope, lock);
    return this.inScope<T, C | 'NOT_FOUND'>(scope, begin, work);
  }

  /**
   * The same with access to the rows of all tenants: for webhooks, jobs, operators and one-time
   * tokens.
   * @param lockMs milliseconds that a statement waits for a lock; by default, as everywhere
   */
  acrossTenants<T, C extends string = never>(
    work: () => Promise<Result<T, C>>,
    lockMs?: number,
  ): Promise<Result<T, C>> {
    const limit = lockMs === undefined ? '' : `; SET LOCAL lock_timeout = ${lockMs}`;
    return this.inScope<T, C>(EVERY_TENANT, beginLater(setTenantScopeSql(EVERY_TENANT) + limit), work);
  }

  /**
   * Runs work of another request in the running transaction: what it logs and enqueues has the id
   * of that request. COMMIT is not its own: it has no idempotency key and reads no position.
   */
  inContext<T>(context: RequestContext, work: () => Promise<T>): Promise<T> {
    const { transaction, scope, tenant } = currentContext();
    return withRequestContext({ ...context, transaction, scope, tenant }, work);
  }

  /** Begins with `begin`, or joins the running transaction of the same scope. */
  private inScope<T, C extends string>(scope: Scope, begin: Begin<C>, work: Work<T, C>): Promise<Result<T, C>> {
    const context = currentContext();
    if (!context.transaction) return this.repeat(begin, work, scope);
    if (!context.scope || !isSameScope(context.scope, scope)) {
      throw new Error('A transaction cannot change its scope.');
    }
    return work();
  }

  private async repeat<T, C extends string>(begin: Begin<C>, work: Work<T, C>, scope?: Scope): Promise<Result<T, C>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transact(begin, work, scope);
      } catch (error) {
        if (attempt === ATTEMPTS || !mustBeRepeated(error)) throw error;
      }
    }
  }

  private async transact<T, C extends string>(begin: Begin<C>, work: Work<T, C>, scope?: Scope): Promise<Result<T, C>> {
    const transaction = await Transaction.on(this.database.manager.dataSource);
    try {
      const begun = await begin(transaction);
      const result = begun.ok
        ? await withRequestContext({ ...currentContext(), transaction, scope, tenant: begun.value }, work)
        : begun;
      await (result.ok ? this.commit(transaction, result) : transaction.rollBack());
      return result;
    } catch (error) {
      await transaction.rollBack();
      throw error;
    } finally {
      await transaction.release();
    }
  }

  /**
   * Commits. With an idempotency key, the result is stored in the same message as the answer.
   * @throws ClaimLost if another request has taken over the key
   */
  private async commit(transaction: Transaction, result: Ok<unknown>): Promise<void> {
    const { claim, written } = currentContext();
    const storing = claim?.storing(result);
    if (!storing) return transaction.commit(written);
    transaction.write(...storing);
    try {
      await transaction.commit(written);
    } catch (error) {
      throw ClaimLost.isIn(error) ? new ClaimLost() : error;
    }
    claim!.markStored(result);
  }
}

/** Begins together with the first statement of the work. */
const beginLater =
  (statements?: string) =>
  (transaction: Transaction): Result<undefined> => {
    transaction.beginLater(statements);
    return ok(undefined);
  };

/**
 * Begins, sets the scope and locks the tenant's row, in one message. The row is locked before any
 * other, which prevents deadlocks with the deletion of the tenant.
 * @returns NOT_FOUND when the tenant does not exist
 */
const beginLocked = (scope: TenantScope, lock: keyof typeof LOCKS) => async (transaction: Transaction) => {
  const select = `SELECT webhook_types FROM tenants WHERE id = app_tenant_id() FOR ${LOCKS[lock]}`;
  const { rows } = await transaction.begin(`${setTenantScopeSql(scope)}; ${select}`);
  const [row] = rows as { webhook_types: string[] | null }[];
  return row ? ok<LockedTenant>({ webhookTypes: row.webhook_types }) : err(PlatformFailures.notFound);
};
