import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { isUnavailable } from '../../../platform/database/database-errors';
import { Jobs } from '../../../platform/jobs/jobs';
import { Log } from '../../../platform/observability/log';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { syncSubscriptionJob } from '../commands/sync-subscription';
import {
  SubscriptionRepository,
  type PageRange,
  type MissingFromSync,
} from '../../subscriptions/data/subscription.repository';
import { SyncRunRepository, type Progress } from '../data/sync-run.repository';
import { isOver, localStatusOf, type SubscriptionSnapshot } from '../../subscriptions/domain/subscription-snapshot';
import type { Subscription } from '../../subscriptions/domain/subscription';
import type { SyncRun } from '../domain/sync-run';
import { SubscriptionChange, SubscriptionWriter } from '../../subscriptions/services/subscription-writer';
import { PlanCache } from '../../entitlements/services/plan-cache';
import type { Reading, SubscriptionPage } from '../../stripe/stripe-gateway';

/** Who is compared: our rows, found by what the processor says of its own. */
class Rows {
  private readonly byKey = new Map<string, Subscription>();

  constructor(rows: readonly Subscription[]) {
    for (const row of rows) this.add(row, [row.processorSubscriptionId, row.processorCustomerId, row.tenantId]);
  }

  /**
   * By the subscription, else the customer, else what we wrote on it; undefined where that is
   * nobody, or somebody who is another customer.
   */
  of({ subscriptionId, customerId, tenantId }: SubscriptionSnapshot): Subscription | undefined {
    const row = this.byKey.get(subscriptionId) ?? this.byKey.get(customerId) ?? this.byKey.get(tenantId ?? '');
    const isOther =
      row && ((row.processorCustomerId ?? customerId) !== customerId || (tenantId ?? row.tenantId) !== row.tenantId);
    return isOther ? undefined : row;
  }

  /**
   * What there is to say of each row. Who is a customer from here on is no other's: two tenants
   * that name the same one are not both served.
   */
  group(states: readonly SubscriptionSnapshot[]): Map<Subscription, SubscriptionSnapshot[]> {
    const groups = new Map<Subscription, SubscriptionSnapshot[]>();
    for (const state of states) {
      const row = this.of(state);
      if (!row) continue;
      this.add(row, [state.subscriptionId, state.customerId]);
      groups.set(row, [...(groups.get(row) ?? []), state]);
    }
    return groups;
  }

  private add(row: Subscription, keys: readonly (string | null)[]): void {
    for (const key of keys) if (key) this.byKey.set(key, row);
  }
}

/**
 * What an operator should know of: nobody's, one beside the one that we follow, or with a price or
 * a status that we do not know.
 */
function isUnknown(state: SubscriptionSnapshot, row: Subscription | undefined): boolean {
  if (isOver(state.status)) return false;
  return (
    row?.processorSubscriptionId !== state.subscriptionId ||
    !state.plan ||
    !localStatusOf(state.status, state.isCollectionPaused)
  );
}

/** How far a run is before and after a page. */
type Way = Pick<Progress, 'from' | 'to' | 'hasReadAll' | 'reached' | 'ties'>;

/** When the oldest on a page was made. */
const oldestOf = ({ states }: SubscriptionPage): Date | undefined =>
  states.map(({ createdAt }) => createdAt).sort((one, other) => +one - +other)[0];

/**
 * Those on a page that were created in the same second as its oldest: more of them may be on the
 * next.
 */
function tiesOf(page: SubscriptionPage): string[] {
  const oldest = oldestOf(page);
  return page.states.flatMap(({ createdAt, subscriptionId }) => (+createdAt === +oldest! ? subscriptionId : []));
}

/**
 * What a page covers: from its oldest to that of the page before; all, where the processor has
 * begun anew.
 */
export function rangeOf(run: SyncRun, page: SubscriptionPage): PageRange {
  const isNewer = page.states.some(({ createdAt }) => run.reached !== null && createdAt > run.reached);
  return {
    runId: run.id,
    from: page.cursor === null ? null : (oldestOf(page) ?? run.reached),
    to: isNewer ? null : run.reached,
    subscriptionIds: page.states.map(({ subscriptionId }) => subscriptionId),
    at: page.at,
  };
}

/** What a page has brought. */
interface Found {
  readonly seen: number;
  readonly corrected: number;
  readonly unknown: number;
}

/** The same, with what people see of it. */
interface Corrected extends Found {
  readonly changes: readonly SubscriptionChange[];
}

function groupByCustomer(states: readonly SubscriptionSnapshot[]): Map<string, SubscriptionSnapshot[]> {
  const groups = new Map<string, SubscriptionSnapshot[]>();
  for (const state of states) groups.set(state.customerId, [...(groups.get(state.customerId) ?? []), state]);
  return groups;
}

/**
 * Compares a page of the processor's subscriptions with ours, corrects what differs and writes down
 * how far the run is: one transaction.
 */
@Injectable()
export class PageReconciler {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly runs: SyncRunRepository,
    private readonly subscriptionWriter: SubscriptionWriter,
    private readonly jobs: Jobs,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * @returns the run as it then is, or undefined when somebody else has done this page meanwhile
   */
  async compare(run: SyncRun, page: SubscriptionPage): Promise<Result<SyncRun | undefined>> {
    const reached = oldestOf(page) ?? null;
    const way = { from: run.cursor, to: page.cursor, hasReadAll: page.cursor === null, reached, ties: tiesOf(page) };
    return this.takeAllOrSingly(run, page, way);
  }

  /**
   * The same for one that was asked for singly; the page on which it belongs is still to be done.
   * The processor may not know it: of another account, or deleted with all of its test data.
   * @param since when the page was read
   */
  async compareOne(
    run: SyncRun,
    straggler: MissingFromSync,
    reading: Reading,
    since: Date,
  ): Promise<Result<SyncRun | undefined>> {
    const found = await (reading.states.length > 0 ? this.takeOrReport(reading) : this.miss(straggler));
    const way = { from: run.cursor, to: run.cursor, hasReadAll: false, reached: null, ties: [] };
    return this.unitOfWork.transaction(async () =>
      ok(await this.runs.advance(run.id, { ...way, since, ...found, seen: 0 })),
    );
  }

  private async miss({ tenantId, subscriptionId }: MissingFromSync): Promise<Found> {
    await this.unitOfWork.acrossTenants(async () => {
      const subscription = await this.subscriptions.lockByTenant(tenantId);
      if (subscription?.miss(subscriptionId)) await this.subscriptions.save([subscription]);
      return ok();
    });
    return { seen: 0, corrected: 0, unknown: 1 };
  }

  private async takeAllOrSingly(run: SyncRun, reading: Reading, way: Way): Promise<Result<SyncRun | undefined>> {
    try {
      return await this.take(run, reading, way);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.log.error(
        { err: error, run: run.id },
        'a page of subscriptions could not be taken over; it is done customer by customer',
      );
      return this.takeSingly(run, reading, way);
    }
  }

  private async take(run: SyncRun, reading: Reading, way: Way): Promise<Result<SyncRun | undefined>> {
    let changed: readonly SubscriptionChange[] = [];
    const taken = await this.unitOfWork.acrossTenants(async () => {
      const { changes, ...found } = await this.correct(reading);
      changed = changes;
      return ok(await this.runs.advance(run.id, { ...way, since: reading.at, ...found }));
    });
    await this.remember(changed);
    return taken;
  }

  private async remember(changed: readonly SubscriptionChange[]): Promise<void> {
    for (const { subscription } of changed) await this.cache.put(subscription.tenantId, subscription);
  }

  /**
   * One that the database refuses must not keep all the others from being corrected, now and in
   * every run to come.
   */
  private async takeSingly(run: SyncRun, { states, at }: Reading, way: Way): Promise<Result<SyncRun | undefined>> {
    const sum = { seen: 0, corrected: 0, unknown: 0 };
    for (const [, own] of groupByCustomer(states)) {
      const found = await this.takeOrReport({ states: own, at });
      for (const name of ['seen', 'corrected', 'unknown'] as const) sum[name] += found[name];
    }
    return this.unitOfWork.transaction(async () => ok(await this.runs.advance(run.id, { ...way, since: at, ...sum })));
  }

  private async takeOrReport(reading: Reading): Promise<Found> {
    try {
      const taken = await this.unitOfWork.acrossTenants(async () => ok(await this.correct(reading)));
      const { changes, ...found } = (taken as { value: Corrected }).value;
      await this.remember(changes);
      return found;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.log.error(
        { err: error, customer: reading.states[0].customerId },
        'the subscriptions of a customer could not be taken over',
      );
      return { seen: reading.states.length, corrected: 0, unknown: reading.states.length };
    }
  }

  /** In the running transaction. @returns what people see of it, too */
  private async correct({ states, at }: Reading): Promise<Corrected> {
    const rows = new Rows(await this.lock(states));
    const groups = rows.group(states);
    const all = [...groups].map(([row, own]) => {
      const change = new SubscriptionChange(row);
      row.mirrorAll(own, at, change.notices);
      return change;
    });
    await this.subscriptionWriter.save(all, 'sync', at);
    const changes = all.filter(({ isVisible }) => isVisible);
    // What has ended may have been followed by another, on a page that was read before; and one
    // that lives was passed over where the row is of the same second.
    const ended = changes.flatMap(({ subscription }) => (subscription.isLiveThere ? [] : subscription.tenantId));
    const passedOver = states.flatMap((state) =>
      isOver(state.status) || rows.of(state)?.isLiveThere !== false ? [] : rows.of(state)!.tenantId,
    );
    await this.jobs.enqueueAll([...new Set([...ended, ...passedOver])].map(syncSubscriptionJob));
    const unknown = states.filter((state) => isUnknown(state, rows.of(state))).length;
    return { changes, seen: states.length, corrected: changes.length, unknown };
  }

  /**
   * Tenants that are named and have no row get one first: the event of their checkout never came.
   */
  private async lock(states: readonly SubscriptionSnapshot[]): Promise<Subscription[]> {
    const tenantIds = [...new Set(states.flatMap(({ tenantId }) => tenantId ?? []))];
    await this.subscriptions.addFree(tenantIds, this.clock.now());
    return this.subscriptions.lockAll({
      subscriptionIds: states.map(({ subscriptionId }) => subscriptionId),
      customerIds: [...new Set(states.map(({ customerId }) => customerId))],
      tenantIds,
    });
  }
}
