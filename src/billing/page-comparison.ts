import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock';
import { Jobs } from '../platform/jobs';
import { ok, type Result } from '../platform/result';
import { EVERY_TENANT } from '../platform/tenant-scope';
import { UnitOfWork } from '../platform/unit-of-work';
import { syncSoon } from './commands/sync-subscription';
import { SubscriptionRepository } from './data/subscription.repository';
import { SyncRunRepository } from './data/sync-run.repository';
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
    for (const row of rows) {
      for (const key of [row.processorSubscriptionId, row.processorCustomerId, row.tenantId]) if (key) this.byKey.set(key, row);
    }
  }

  /** By the subscription, else the customer, else what we wrote on it; undefined where that is nobody, or somebody who is another customer. */
  of({ subscriptionId, customerId, tenantId }: ProcessorState): Subscription | undefined {
    const row = this.byKey.get(subscriptionId) ?? this.byKey.get(customerId) ?? this.byKey.get(tenantId ?? '');
    const isOther = row && ((row.processorCustomerId ?? customerId) !== customerId || (tenantId ?? row.tenantId) !== row.tenantId);
    return isOther ? undefined : row;
  }

  /** What there is to say of each row. */
  group(states: readonly ProcessorState[]): Map<Subscription, ProcessorState[]> {
    const groups = new Map<Subscription, ProcessorState[]>();
    for (const state of states) {
      const row = this.of(state);
      if (row) groups.set(row, [...(groups.get(row) ?? []), state]);
    }
    return groups;
  }
}

const isUnknown = (state: ProcessorState, rows: Rows) => !rows.of(state) || !state.plan || !localStatusOf(state.status, state.isCollectionPaused);

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
  ) {}

  /** @returns the run as it then is, or undefined when somebody else has done this page meanwhile */
  async compare(run: SyncRun, page: SubscriptionPage): Promise<Result<SyncRun | undefined>> {
    return this.take(run, page, { from: run.cursor, to: page.cursor, hasReadAll: page.cursor === null });
  }

  /** The same for one that was asked for singly; none was found where the processor does not know it. */
  async compareOne(run: SyncRun, reading: Reading): Promise<Result<SyncRun | undefined>> {
    return this.take(run, reading, { from: run.cursor, to: run.cursor, hasReadAll: true });
  }

  private async take(
    run: SyncRun,
    { states, at }: Reading,
    way: { from: string | null; to: string | null; hasReadAll: boolean },
  ): Promise<Result<SyncRun | undefined>> {
    let changed: readonly Change[] = [];
    const taken = await this.unitOfWork.within(EVERY_TENANT, async () => {
      const rows = new Rows(await this.lock(states));
      const changes = [...rows.group(states)].map(([row, own]) => {
        const change = new Change(row);
        row.mirrorAll(own, at, change.notices);
        return change;
      });
      changed = changes.filter(({ isVisible }) => isVisible);
      await this.mirroring.settle(changes, 'sync');
      // What has ended may have been followed by another, on a page that was read before.
      const ended = changed.filter(({ subscription }) => !subscription.isLiveThere);
      await this.jobs.laterAll(ended.map(({ subscription }) => syncSoon(subscription.tenantId)));
      const unknown = states.filter((state) => !isOver(state.status) && isUnknown(state, rows)).length + (states.length === 0 ? 1 : 0);
      return ok(await this.runs.advance(run.id, { ...way, since: at, seen: states.length, corrected: changed.length, unknown }));
    });
    for (const { subscription } of changed) await this.cache.put(subscription.tenantId, subscription);
    return taken;
  }

  /** Tenants that are named and have no row get one: the event of their checkout never came. */
  private async lock(states: readonly ProcessorState[]): Promise<Subscription[]> {
    const keys = {
      subscriptionIds: states.map(({ subscriptionId }) => subscriptionId),
      customerIds: [...new Set(states.map(({ customerId }) => customerId))],
      tenantIds: [...new Set(states.flatMap(({ tenantId }) => tenantId ?? []))],
    };
    const found = await this.subscriptions.lockAll(keys);
    const known = new Set(found.map(({ tenantId }) => tenantId));
    const missing = keys.tenantIds.filter((tenantId) => !known.has(tenantId));
    if (missing.length === 0) return found;
    await this.subscriptions.addFree(missing, this.clock.now());
    return this.subscriptions.lockAll(keys);
  }
}
