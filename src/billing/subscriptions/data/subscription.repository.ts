import { Injectable } from '@nestjs/common';
import { And, Any, In, IsNull, LessThanOrEqual, MoreThan, Not, Or, Raw, type Repository } from 'typeorm';
import { entityOf } from '../../../platform/database/entity-of';
import { EntityReader } from '../../../platform/database/entity-reader';
import { recordsOf } from '../../../platform/database/entity-records';
import { EntityRepository } from '../../../platform/database/entity-repository';
import { columnsOf } from '../../../platform/database/select-list';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { updatesOf } from '../../../platform/database/update-statement';
import { SMALLEST_ID } from '../../../platform/pagination';
import { Subscription } from '../domain/subscription';
import { OVER } from '../domain/subscription-snapshot';
import { MATCHING, matching, type SubscriptionKeys } from './subscription-keys';

const COLUMNS = columnsOf(Subscription, 's');

/** Locked in one order, so that transactions that lock several rows do not deadlock. */
const MATCHING_LOCKED = (rows: Repository<Subscription>) =>
  rows.createQueryBuilder('s').select(COLUMNS).where(MATCHING).orderBy('s.tenantId').setLock('pessimistic_write');

const MATCHING_UNLOCKED = (rows: Repository<Subscription>) => MATCHING_LOCKED(rows).setOnLocked('skip_locked');

const ADDED = recordsOf(Subscription);

/** Adds the subscriptions of $1, a JSON array, of existing tenants without one. */
const ADD = `
  INSERT INTO subscriptions (${ADDED.columns}) SELECT ${ADDED.columns} FROM ${ADDED.rowsOf('$1')}
   WHERE tenant_id IN (SELECT id FROM tenants) ON CONFLICT (tenant_id) DO NOTHING`;

/** The leases have statements of their own. */
const SAVED = updatesOf(Subscription, { except: ['checkoutLeaseUntil', 'syncLeaseAt'] });

/**
 * The creation times that a page of a sync run covers. Pages are ordered from new to old. The
 * second in which the oldest subscription of a page was created belongs to the next page, which may
 * contain more of that second.
 */
export interface PageRange {
  readonly runId: string;
  /**
   * When the oldest on the page was created, exclusive; null for the last page, which covers all
   * older.
   */
  readonly from: Date | null;
  /** When the oldest on the previous page was created, inclusive; null for the first page. */
  readonly to: Date | null;
  readonly subscriptionIds: readonly string[];
  /** Every change until then is on the page. Subscriptions with later changes are not missing. */
  readonly completeUntil: Date;
}

/** A live stored subscription that is not on the page where it belongs. */
export interface MissingFromSync {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

/** The stored subscriptions, in PostgreSQL. */
@Injectable()
export class SubscriptionRepository extends EntityRepository<Subscription> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly reader: EntityReader,
  ) {
    super(Subscription, unitOfWork);
  }

  /** Reads without a lock; undefined for a tenant that was never a Stripe customer. */
  async find(tenantId: string): Promise<Subscription | undefined> {
    const rows = { scope: { tenantId }, isFresh: true, where: { tenantId } };
    return (await this.reader.findEntity(Subscription, rows))?.trackChanges();
  }

  /** Locks every subscription that matches any of the keys until the transaction ends. */
  async lockAll(keys: SubscriptionKeys): Promise<Subscription[]> {
    return subscriptionsOf(await this.rowsOfBuilt(MATCHING_LOCKED, matching(keys)));
  }

  /** The same, without those that another transaction has locked: it waits for none. */
  async lockUnlocked(keys: SubscriptionKeys): Promise<Subscription[]> {
    return subscriptionsOf(await this.rowsOfBuilt(MATCHING_UNLOCKED, matching(keys)));
  }

  /**
   * Locks trials that end between two times and whose Owner was not reminded, until the transaction
   * ends.
   */
  async lockTrialsEnding(from: Date, to: Date, limit: number): Promise<Subscription[]> {
    // not a parameter, which would hide the partial index
    const isTrial = Raw((status) => `${status} = 'Trialing'`);
    const isNotReminded = Raw((notified) => `${notified} IS DISTINCT FROM trial_ends_at`);
    const trials = await this.rows.find({
      where: {
        status: isTrial,
        trialEndsAt: And(MoreThan(from), LessThanOrEqual(to)),
        cancelAtPeriodEnd: false,
        notifiedTrialEnd: isNotReminded,
      },
      order: { tenantId: 'ASC' },
      take: limit,
      lock: { mode: 'pessimistic_write' },
    });
    return trials.map((trial) => trial.trackChanges());
  }

  /** Locks until the transaction ends; undefined for a tenant that was never a Stripe customer. */
  async lockByTenant(tenantId: string): Promise<Subscription | undefined> {
    return (await this.lockOne({ tenantId }))?.trackChanges();
  }

  /** The same, and creates the row if it is missing; undefined if the tenant does not exist. */
  async lockOrAdd(tenantId: string, now: Date): Promise<Subscription | undefined> {
    await this.addFree([tenantId], now);
    return this.lockByTenant(tenantId);
  }

  /** Adds missing rows. Unknown tenant ids are skipped. */
  addFree(tenantIds: readonly string[], now: Date): Promise<void> {
    const added = tenantIds.map((tenantId) => Subscription.free(tenantId, now));
    return this.unitOfWork.write(ADD, [ADDED.parameter(added)]);
  }

  /**
   * Stores all of them with one statement: of one, the columns that have changed since it was
   * locked. Once in a transaction.
   */
  async save(subscriptions: readonly Subscription[]): Promise<void> {
    const [first, ...others] = subscriptions;
    if (others.length > 0) await this.updateAllLater(subscriptions, SAVED);
    else if (first) await this.updateChangesLater(first, first.loaded as Subscription, SAVED);
  }

  /**
   * Stores the Stripe customer of a tenant, unless another request has already stored one.
   * @param before the customer that it replaces, if any
   * @returns the stored customer; null if the tenant has no subscription
   */
  async bindCustomer(tenantId: string, customerId: string, before: string | null): Promise<string | null> {
    await this.updateBy({ tenantId, processorCustomerId: before ?? IsNull() }, { processorCustomerId: customerId });
    return (await this.rows.findOneBy({ tenantId }))?.processorCustomerId ?? null;
  }

  /**
   * Finds live subscriptions that belong on a page by creation time and are not on it. Those of the
   * second in which the previous page ended may have been on that page (`sync_ties`). Ordered by
   * tenant.
   * @param after the last tenant that was checked
   */
  async missingOn(range: PageRange, after: string | null, limit: number): Promise<MissingFromSync[]> {
    const { runId, from, to, subscriptionIds, completeUntil } = range;
    const created = [MoreThan(from ?? new Date(0)), ...(to ? [LessThanOrEqual(to)] : [])];
    const isNoTie = Raw((id) => `${id} NOT IN (SELECT subscription_id FROM sync_ties WHERE run_id = :runId)`, {
      runId,
    });
    const missing = await this.rows.find({
      where: {
        subscriptionCreatedAt: And(...created),
        processorSubscriptionId: And(Not(Any(subscriptionIds)), isNoTie),
        processorStatus: Or(IsNull(), Not(In(OVER))),
        asOf: Or(IsNull(), LessThanOrEqual(completeUntil)),
        tenantId: MoreThan(after ?? SMALLEST_ID),
      },
      order: { tenantId: 'ASC' },
      take: limit,
    });
    return missing.map((row) => ({ tenantId: row.tenantId, subscriptionId: row.processorSubscriptionId! }));
  }
}

const subscriptionsOf = (rows: readonly object[]) => rows.map((row) => entityOf(Subscription, row).trackChanges());
