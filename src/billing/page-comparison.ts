import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock';
import { isUnreachable, mustBeRepeated } from '../platform/database-errors';
import { Jobs } from '../platform/jobs';
import { Log } from '../platform/log';
import { ok, type Result } from '../platform/result';
import { EVERY_TENANT } from '../platform/tenant-scope';
import { UnitOfWork } from '../platform/unit-of-work';
import { syncSoon } from './commands/sync-subscription';
import { SubscriptionRepository } from './data/subscription.repository';
import { SyncRunRepository, type Progress } from './data/sync-run.repository';
import { isOver, localStatusOf, type ProcessorState } from './domain/processor-state';
import type { Subscription } from './domain/subscription';
import type { SyncRun } from './domain/sync-run';
import { Change, Mirroring } from './mirroring';
import { PlanCache } from './plan-cache';
import type { Reading, SubscriptionPage } from './processor/processor-gateway';

/** Who is compared: our rows, found by what the processor says of its own. */
class Rows {
  private readonly byKey = new Map<string, Subscription>();

  constructor(rows: readonly Subscription[]) {
    for (const row of rows) this.add(row, [row.processorSubscriptionId, row.processorCustomerId, row.tenantId]);
  }

  /** By the subscription, else the customer, else what we wrote on it; undefined where that is nobody, or somebody who is another customer. */
  of({ subscriptionId, customerId, tenantId }: ProcessorState): Subscription | undefined {
    const row = this.byKey.get(subscriptionId) ?? this.byKey.get(customerId) ?? this.byKey.get(tenantId ?? '');
    const isOther = row && ((row.processorCustomerId ?? customerId) !== customerId || (tenantId ?? row.tenantId) !== row.tenantId);
    return isOther ? undefined : row;
  }

  /** What there is to say of each row. Who is a customer from here on is no other's: two tenants that name the same one are not both served. */
  group(states: readonly ProcessorState[]): Map<Subscription, ProcessorState[]> {
    const groups = new Map<Subscription, ProcessorState[]>();
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

/** What an operator should know of: nobody's, one beside the one that we follow, or with a price or a status that we do not know. */
function isUnknown(state: ProcessorState, row: Subscription | undefined): boolean {
  if (isOver(state.status)) return false;
  return row?.processorSubscriptionId !== state.subscriptionId || !state.plan || !localStatusOf(state.status, state.isCollectionPaused);
}

/** How far a run is before and after a page. */
type Way = Pick<Progress, 'from' | 'to' | 'hasReadAll'>;

/** What a page has brought. */
interface Found {
  readonly seen: number;
  readonly corrected: number;
  readonly unknown: number;
}

/** Compares a page of the processor's subscriptions with ours, corrects what differs and writes down how far the run is: one transaction. */
@Injectable()
export class PageComparison {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly runs: SyncRunRepository,
    private readonly mirroring: Mirroring,
    private readonly jobs: Jobs,
    private readonly cache: PlanCache,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** @returns the run as it then is, or undefined when somebody else has done this page meanwhile */
  async compare(run: SyncRun, page: SubscriptionPage): Promise<Result<SyncRun | undefined>> {
    const way = { from: run.cursor, to: page.cursor, hasReadAll: page.cursor === null };
    try {
      return await this.take(run, page, way);
    } catch (error) {
      if (isUnreachable(error) || mustBeRepeated(error)) throw error;
      this.log.error({ err: error, run: run.id }, 'a page of subscriptions could not be taken over; it is done one by one');
      return this.takeSingly(run, page, way);
    }
  }

  /** The same for one that was asked for singly. The processor may not know it: of another account, or deleted with all of its test data. */
  async compareOne(run: SyncRun, tenantId: string, reading: Reading): Promise<Result<SyncRun | undefined>> {
    const way = { from: run.cursor, to: run.cursor, hasReadAll: true };
    if (reading.states.length > 0) return this.take(run, reading, way);
    return this.unitOfWork.within(EVERY_TENANT, async () => {
      const subscription = await this.subscriptions.lockByTenant(tenantId);
      subscription?.miss();
      if (subscription) await this.subscriptions.save([subscription]);
      return ok(await this.runs.advance(run.id, { ...way, since: reading.at, seen: 0, corrected: 0, unknown: 1 }));
    });
  }

  private async take(run: SyncRun, reading: Reading, way: Way): Promise<Result<SyncRun | undefined>> {
    let changed: readonly Change[] = [];
    const taken = await this.unitOfWork.within(EVERY_TENANT, async () => {
      const { changes, ...found } = await this.correct(reading);
      changed = changes;
      return ok(await this.runs.advance(run.id, { ...way, since: reading.at, ...found }));
    });
    for (const { subscription } of changed) await this.cache.put(subscription.tenantId, subscription);
    return taken;
  }

  /** One that the database refuses must not keep all the others from being corrected, now and in every run to come. */
  private async takeSingly(run: SyncRun, { states, at }: Reading, way: Way): Promise<Result<SyncRun | undefined>> {
    const sum = { seen: 0, corrected: 0, unknown: 0 };
    for (const state of states) {
      const found = await this.takeOrReport({ states: [state], at });
      for (const name of ['seen', 'corrected', 'unknown'] as const) sum[name] += found[name];
    }
    return this.unitOfWork.run(async () => ok(await this.runs.advance(run.id, { ...way, since: at, ...sum })));
  }

  private async takeOrReport(reading: Reading): Promise<Found> {
    try {
      const taken = await this.unitOfWork.within(EVERY_TENANT, async () => ok(await this.correct(reading)));
      return (taken as { value: Found }).value;
    } catch (error) {
      if (isUnreachable(error) || mustBeRepeated(error)) throw error;
      this.log.error({ err: error, subscription: reading.states[0].subscriptionId }, 'a subscription could not be taken over');
      return { seen: 1, corrected: 0, unknown: 1 };
    }
  }

  /** In the running transaction. @returns what people see of it, too */
  private async correct({ states, at }: Reading): Promise<Found & { changes: readonly Change[] }> {
    const rows = new Rows(await this.lock(states));
    const groups = rows.group(states);
    const all = [...groups].map(([row, own]) => {
      const change = new Change(row);
      row.mirrorAll(own, at, change.notices);
      return change;
    });
    await this.mirroring.settle(all, 'sync');
    const changes = all.filter(({ isVisible }) => isVisible);
    // What has ended may have been followed by another, on a page that was read before.
    const ended = changes.filter(({ subscription }) => !subscription.isLiveThere);
    await this.jobs.laterAll(ended.map(({ subscription }) => syncSoon(subscription.tenantId)));
    const unknown = states.filter((state) => isUnknown(state, rows.of(state))).length;
    return { changes, seen: states.length, corrected: changes.length, unknown };
  }

  /** Tenants that are named and have no row get one first: the event of their checkout never came. */
  private async lock(states: readonly ProcessorState[]): Promise<Subscription[]> {
    const tenantIds = [...new Set(states.flatMap(({ tenantId }) => tenantId ?? []))];
    await this.subscriptions.addFree(tenantIds, this.clock.now());
    return this.subscriptions.lockAll({
      subscriptionIds: states.map(({ subscriptionId }) => subscriptionId),
      customerIds: [...new Set(states.map(({ customerId }) => customerId))],
      tenantIds,
    });
  }
}
