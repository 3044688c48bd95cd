import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Subscription } from '../domain/subscription';

const COLUMNS = `
  tenant_id AS "tenantId", processor_customer_id AS "processorCustomerId",
  processor_subscription_id AS "processorSubscriptionId", plan, status, current_period_end AS "currentPeriodEnd",
  cancel_at_period_end AS "cancelAtPeriodEnd", trial_ends_at AS "trialEndsAt", updated_at AS "updatedAt",
  processor_status AS "processorStatus", subscription_created_at AS "subscriptionCreatedAt", as_of AS "asOf",
  as_of_reading AS "asOfReading", had_trial AS "hadTrial", told_past_due AS "pastDueNotified",
  open_invoice_id AS "openInvoiceId", open_invoice_at AS "openInvoiceAt", told_trial_end AS "notifiedTrialEnd",
  preparing_until AS "checkoutLeaseUntil", asked_at AS "syncLeaseAt"`;

/** The row of tenant $1. */
const SUBSCRIPTION_BY_TENANT = `SELECT ${COLUMNS} FROM subscriptions WHERE tenant_id = $1`;

/** Locked in one order, so that transactions that lock several rows do not deadlock. */
export const LOCK = `
  SELECT ${COLUMNS} FROM subscriptions
   WHERE processor_subscription_id = ANY($1::text[]) OR processor_customer_id = ANY($2::text[])
     OR tenant_id = ANY($3::uuid[])
   ORDER BY tenant_id FOR UPDATE`;

/** Adds a row on the Free plan for existing tenants without one. */
const ADD_FREE = `
  INSERT INTO subscriptions (tenant_id, plan, status, updated_at)
  SELECT id, 'Free', 'Active', $2 FROM tenants WHERE id = ANY($1::uuid[])
  ON CONFLICT (tenant_id) DO NOTHING`;

/** Updates the rows of $1, a JSON array. */
export const SAVE = `
  UPDATE subscriptions s
     SET processor_customer_id = g."processorCustomerId", processor_subscription_id = g."processorSubscriptionId",
         plan = g.plan, status = g.status, current_period_end = g."currentPeriodEnd",
         cancel_at_period_end = g."cancelAtPeriodEnd", trial_ends_at = g."trialEndsAt", updated_at = g."updatedAt",
         processor_status = g."processorStatus", subscription_created_at = g."subscriptionCreatedAt",
         as_of = g."asOf", as_of_reading = g."asOfReading", had_trial = g."hadTrial",
         told_past_due = g."pastDueNotified", open_invoice_id = g."openInvoiceId",
         open_invoice_at = g."openInvoiceAt", told_trial_end = g."notifiedTrialEnd"
    FROM jsonb_to_recordset($1::jsonb) AS g (
         "tenantId" uuid, "processorCustomerId" text, "processorSubscriptionId" text, plan text, status text,
         "currentPeriodEnd" timestamptz, "cancelAtPeriodEnd" boolean, "trialEndsAt" timestamptz,
         "updatedAt" timestamptz, "processorStatus" text, "subscriptionCreatedAt" timestamptz, "asOf" timestamptz,
         "asOfReading" boolean, "hadTrial" boolean, "pastDueNotified" boolean, "openInvoiceId" text,
         "openInvoiceAt" timestamptz, "notifiedTrialEnd" timestamptz)
   WHERE s.tenant_id = g."tenantId"`;

/** The keys by which subscriptions are found. */
export interface SubscriptionKeys {
  readonly subscriptionIds: readonly string[];
  readonly customerIds: readonly string[];
  readonly tenantIds: readonly string[];
}

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
  /** When the page was read. Subscriptions with later changes are not missing. */
  readonly at: Date;
}

/** A live stored subscription that is not on the page where it belongs. */
export interface MissingFromSync {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

/** The stored subscriptions, in PostgreSQL. */
@Injectable()
export class SubscriptionRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly database: Database,
  ) {}

  /** Reads without a lock; undefined for a tenant that was never a Stripe customer. */
  async find(tenantId: string): Promise<Subscription | undefined> {
    return subscriptionsOf(
      await this.database.queryInTenant<Subscription>({ tenantId }, SUBSCRIPTION_BY_TENANT, [tenantId]),
    )[0];
  }

  /** Locks every subscription that matches any of the keys until the transaction ends. */
  async lockAll({ subscriptionIds, customerIds, tenantIds }: SubscriptionKeys): Promise<Subscription[]> {
    return subscriptionsOf(await this.unitOfWork.query<Subscription>(LOCK, [subscriptionIds, customerIds, tenantIds]));
  }

  /**
   * Locks trials that end between two times and whose Owner was not reminded, until the transaction
   * ends.
   */
  async lockTrialsEnding(from: Date, to: Date, limit: number): Promise<Subscription[]> {
    const sql = `
      SELECT ${COLUMNS} FROM subscriptions
       WHERE status = 'Trialing' AND trial_ends_at > $1 AND trial_ends_at <= $2 AND NOT cancel_at_period_end
         AND told_trial_end IS DISTINCT FROM trial_ends_at
       ORDER BY tenant_id LIMIT $3 FOR UPDATE`;
    return subscriptionsOf(await this.unitOfWork.query<Subscription>(sql, [from, to, limit]));
  }

  /** Locks until the transaction ends; undefined for a tenant that was never a Stripe customer. */
  async lockByTenant(tenantId: string): Promise<Subscription | undefined> {
    return subscriptionsOf(
      await this.unitOfWork.query<Subscription>(`${SUBSCRIPTION_BY_TENANT} FOR UPDATE`, [tenantId]),
    )[0];
  }

  /** The same, and creates the row if it is missing; undefined if the tenant does not exist. */
  async lockOrAdd(tenantId: string, now: Date): Promise<Subscription | undefined> {
    await this.addFree([tenantId], now);
    return this.lockByTenant(tenantId);
  }

  /** Adds missing rows. Unknown tenant ids are skipped. */
  async addFree(tenantIds: readonly string[], now: Date): Promise<void> {
    await this.unitOfWork.query(ADD_FREE, [tenantIds, now]);
  }

  /** Stores all of them with one statement. */
  async save(subscriptions: readonly Subscription[]): Promise<void> {
    if (subscriptions.length > 0) await this.unitOfWork.query(SAVE, [JSON.stringify(subscriptions)]);
  }

  /**
   * Stores the Stripe customer of a tenant, unless another request has already stored one.
   * @param before the customer that it replaces, if any
   * @returns the stored customer
   */
  async bindCustomer(tenantId: string, customerId: string, before: string | null): Promise<string | null> {
    const sql = `
      UPDATE subscriptions SET processor_customer_id = CASE WHEN processor_customer_id IS NOT DISTINCT
        FROM $3 THEN $2 ELSE processor_customer_id END
       WHERE tenant_id = $1 RETURNING processor_customer_id AS "customerId"`;
    const [bound] = await this.unitOfWork.query<{ customerId: string }>(sql, [tenantId, customerId, before]);
    return bound?.customerId ?? null;
  }

  /**
   * Finds live subscriptions that belong on a page by creation time and are not on it. Those of the
   * second in which the previous page ended may have been on that page (`sync_ties`). Ordered by
   * tenant.
   * @param after the last tenant that was checked
   */
  async missingOn(range: PageRange, after: string | null, limit: number): Promise<MissingFromSync[]> {
    const { runId, from, to, subscriptionIds, at } = range;
    const sql = `
      SELECT tenant_id AS "tenantId", processor_subscription_id AS "subscriptionId" FROM subscriptions
       WHERE subscription_created_at > coalesce($1::timestamptz, '-infinity')
         AND subscription_created_at <= coalesce($2::timestamptz, 'infinity')
         AND processor_subscription_id <> ALL($3::text[])
         AND processor_subscription_id NOT IN (SELECT subscription_id FROM sync_ties WHERE run_id = $7)
         AND coalesce(processor_status, '') NOT IN ('canceled', 'incomplete_expired')
         AND (as_of IS NULL OR as_of < $4) AND ($5::uuid IS NULL OR tenant_id > $5)
       ORDER BY tenant_id LIMIT $6`;
    return this.unitOfWork.query(sql, [from, to, subscriptionIds, at, after, limit, runId]);
  }
}

const subscriptionsOf = (rows: Subscription[]) =>
  rows.map((row) => Object.assign(new Subscription(), row).trackChanges());
