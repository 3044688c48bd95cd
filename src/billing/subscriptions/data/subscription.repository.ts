import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { Subscription } from '../domain/subscription';

const COLUMNS = `tenant_id AS "tenantId", processor_customer_id AS "processorCustomerId", processor_subscription_id AS "processorSubscriptionId",
         plan, status, current_period_end AS "currentPeriodEnd", cancel_at_period_end AS "cancelAtPeriodEnd", trial_ends_at AS "trialEndsAt",
         updated_at AS "updatedAt", processor_status AS "processorStatus", subscription_created_at AS "subscriptionCreatedAt", as_of AS "asOf", as_of_reading AS "asOfReading",
         had_trial AS "hadTrial", told_past_due AS "pastDueNotified",
         open_invoice_id AS "openInvoiceId", open_invoice_at AS "openInvoiceAt", told_trial_end AS "notifiedTrialEnd", preparing_until AS "checkoutLeaseUntil", asked_at AS "syncLeaseAt"`;

/** What is known of tenant $1. */
const SUBSCRIPTION_BY_TENANT = `SELECT ${COLUMNS} FROM subscriptions WHERE tenant_id = $1`;

/** In one order, so that two who take several never wait in a circle. */
export const LOCK = `
  SELECT ${COLUMNS} FROM subscriptions
   WHERE processor_subscription_id = ANY($1::text[]) OR processor_customer_id = ANY($2::text[])
     OR tenant_id = ANY($3::uuid[])
   ORDER BY tenant_id FOR UPDATE`;

/** For tenants that are there and have no row yet: they are Free. */
const ADD_FREE = `
  INSERT INTO subscriptions (tenant_id, plan, status, updated_at)
  SELECT id, 'Free', 'Active', $2 FROM tenants WHERE id = ANY($1::uuid[])
  ON CONFLICT (tenant_id) DO NOTHING`;

/** What has become of some, $1: a JSON array. */
export const SAVE = `
  UPDATE subscriptions s
     SET processor_customer_id = g."processorCustomerId", processor_subscription_id = g."processorSubscriptionId",
       plan = g.plan, status = g.status,
         current_period_end = g."currentPeriodEnd", cancel_at_period_end = g."cancelAtPeriodEnd", trial_ends_at = g."trialEndsAt",
         updated_at = g."updatedAt", processor_status = g."processorStatus", subscription_created_at = g."subscriptionCreatedAt", as_of = g."asOf", as_of_reading = g."asOfReading",
         had_trial = g."hadTrial", told_past_due = g."pastDueNotified",
         open_invoice_id = g."openInvoiceId", open_invoice_at = g."openInvoiceAt", told_trial_end = g."notifiedTrialEnd"
    FROM jsonb_to_recordset($1::jsonb) AS g (
         "tenantId" uuid, "processorCustomerId" text, "processorSubscriptionId" text, plan text, status text, "currentPeriodEnd" timestamptz,
         "cancelAtPeriodEnd" boolean, "trialEndsAt" timestamptz, "updatedAt" timestamptz, "processorStatus" text,
         "subscriptionCreatedAt" timestamptz, "asOf" timestamptz, "asOfReading" boolean, "hadTrial" boolean, "pastDueNotified" boolean,
         "openInvoiceId" text, "openInvoiceAt" timestamptz, "notifiedTrialEnd" timestamptz)
   WHERE s.tenant_id = g."tenantId"`;

/** By what a subscription can be found. */
export interface SubscriptionKeys {
  readonly subscriptionIds: readonly string[];
  readonly customerIds: readonly string[];
  readonly tenantIds: readonly string[];
}

/**
 * What the pages of a run that end with this one cover for the first time: they come newest first.
 * More of the second in which the oldest was created may follow on the next page, so that second is
 * left to it.
 */
export interface PageRange {
  readonly runId: string;
  /**
   * When its oldest was created, exclusive; null: it is the last page, and covers all that is
   * older.
   */
  readonly from: Date | null;
  /** When the oldest of the page before was created, inclusive; null: it is the first page. */
  readonly to: Date | null;
  readonly subscriptionIds: readonly string[];
  /** When it was read: what was heard of since is not missing. */
  readonly at: Date;
}

/** A live subscription that is not on the page where it belongs. */
export interface MissingFromSync {
  readonly tenantId: string;
  readonly subscriptionId: string;
}

/** The mirrored subscriptions, in PostgreSQL. */
@Injectable()
export class SubscriptionRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly database: Database,
  ) {}

  /**
   * The tenant's as it is in the database now, without a lock; undefined for who never had to do
   * with the processor.
   */
  async find(tenantId: string): Promise<Subscription | undefined> {
    return subscriptionsOf(
      await this.database.queryInTenant<Subscription>({ tenantId }, SUBSCRIPTION_BY_TENANT, [tenantId]),
    )[0];
  }

  /** All that any of the keys names, locked until the transaction ends. */
  async lockAll({ subscriptionIds, customerIds, tenantIds }: SubscriptionKeys): Promise<Subscription[]> {
    return subscriptionsOf(await this.unitOfWork.query<Subscription>(LOCK, [subscriptionIds, customerIds, tenantIds]));
  }

  /**
   * Those whose trial ends between two moments and whose Owner was not told of it; locked until the
   * transaction ends.
   */
  async lockTrialsEnding(from: Date, to: Date, limit: number): Promise<Subscription[]> {
    const sql = `
      SELECT ${COLUMNS} FROM subscriptions
       WHERE status = 'Trialing' AND trial_ends_at > $1 AND trial_ends_at <= $2 AND NOT cancel_at_period_end
         AND told_trial_end IS DISTINCT FROM trial_ends_at
       ORDER BY tenant_id LIMIT $3 FOR UPDATE`;
    return subscriptionsOf(await this.unitOfWork.query<Subscription>(sql, [from, to, limit]));
  }

  /**
   * The tenant's, locked until the transaction ends; undefined for who never had to do with the
   * processor.
   */
  async lockByTenant(tenantId: string): Promise<Subscription | undefined> {
    return subscriptionsOf(
      await this.unitOfWork.query<Subscription>(`${SUBSCRIPTION_BY_TENANT} FOR UPDATE`, [tenantId]),
    )[0];
  }

  /** The same, made where it was not there. */
  async lockOrAdd(tenantId: string, now: Date): Promise<Subscription | undefined> {
    await this.addFree([tenantId], now);
    return this.lockByTenant(tenantId);
  }

  /** Gives tenants a row that have none; ids of no tenant are passed over. */
  async addFree(tenantIds: readonly string[], now: Date): Promise<void> {
    await this.unitOfWork.query(ADD_FREE, [tenantIds, now]);
  }

  /** Stores what has become of them, with one statement. */
  async save(subscriptions: readonly Subscription[]): Promise<void> {
    if (subscriptions.length > 0) await this.unitOfWork.query(SAVE, [JSON.stringify(subscriptions)]);
  }

  /** Takes the right to prepare a checkout until a moment. @returns whether nobody else has it */
  async acquireCheckoutLease(tenantId: string, now: Date, until: Date): Promise<boolean> {
    const sql = `UPDATE subscriptions SET preparing_until = $3 WHERE tenant_id = $1
      AND (preparing_until IS NULL OR preparing_until <= $2) RETURNING tenant_id`;
    return (await this.unitOfWork.query(sql, [tenantId, now, until])).length === 1;
  }

  /** Keeps it for longer. @returns false when it has passed to somebody else */
  async renewCheckoutLease(tenantId: string, until: Date, longer: Date): Promise<boolean> {
    const sql =
      'UPDATE subscriptions SET preparing_until = $3 WHERE tenant_id = $1 AND preparing_until = $2 RETURNING tenant_id';
    return (await this.unitOfWork.query(sql, [tenantId, until, longer])).length === 1;
  }

  /** Gives it back, if it is still one's own. */
  async releaseCheckoutLease(tenantId: string, until: Date): Promise<void> {
    await this.unitOfWork.query(
      'UPDATE subscriptions SET preparing_until = NULL WHERE tenant_id = $1 AND preparing_until = $2',
      [tenantId, until],
    );
  }

  /**
   * Writes down which customer of the processor the tenant is, unless somebody has done so.
   * @param before the one that it replaces, if any
   * @returns whose it is
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
   * Takes the right to ask the processor now.
   * @returns the customer, or undefined where it was asked after `before` or there is none
   */
  async acquireSyncLease(tenantId: string, now: Date, before: Date): Promise<string | undefined> {
    const sql = `UPDATE subscriptions SET asked_at = $2
                  WHERE tenant_id = $1 AND processor_customer_id IS NOT NULL AND (asked_at IS NULL OR asked_at <= $3)
                  RETURNING processor_customer_id AS "customerId"`;
    const [found] = await this.unitOfWork.query<{ customerId: string }>(sql, [tenantId, now, before]);
    return found?.customerId;
  }

  /** Gives it back: nobody was asked. */
  async releaseSyncLease(tenantId: string, now: Date): Promise<void> {
    await this.unitOfWork.query('UPDATE subscriptions SET asked_at = NULL WHERE tenant_id = $1 AND asked_at = $2', [
      tenantId,
      now,
    ]);
  }

  /**
   * Live ones that belong on a page by when they were created and are neither on it nor, of the
   * second in which the page before ended, were read before; in the order of their tenants.
   * @param after the last tenant that was looked at
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
