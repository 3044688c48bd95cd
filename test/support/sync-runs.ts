import { CommandBus } from '@nestjs/cqrs';
import { StartSync } from '../../src/billing/sync/commands/start-sync';
import type { Member } from './actors';
import { type TestApp } from './app';
import { type Billing } from './billing';
import { eventually } from './eventually';

/** Syncs with Stripe in tests, and tenants whose events may be lost. */
export class SyncRuns {
  private slot = 0;

  constructor(
    private readonly t: TestApp,
    private readonly billing: Billing,
  ) {}

  /** How often Stripe was asked for a list of subscriptions. */
  get lists(): number {
    return this.t.processor.calls.get('GET /v1/subscriptions') ?? 0;
  }

  /** How often Stripe was asked for one subscription. */
  get retrievals(): number {
    return this.t.processor.calls.get('GET /v1/subscriptions/{id}') ?? 0;
  }

  /** Makes the next starts those of another scheduled time. */
  nextSlot(): void {
    this.slot++;
  }

  /** Starts the sync of the scheduled time on an instance. */
  begin(app = this.t): Promise<unknown> {
    return app.nest.get(CommandBus).execute(new StartSync(null, new Date(Date.UTC(2030, 0, 1, this.slot))));
  }

  /** Waits until this many syncs have finished. @returns what the last one counted */
  finished(count: number) {
    return eventually(async () => {
      const runs = await this.t.database.query<{ seen: number; corrected: number; unknown: number }>(
        'SELECT seen, corrected, "unknown" FROM sync_runs WHERE finished_at IS NOT NULL ORDER BY id',
      );
      return runs.length >= count ? runs.at(-1) : undefined;
    }, 'the end of the sync');
  }

  async countFinished(): Promise<number> {
    const sql = 'SELECT count(*)::int AS n FROM sync_runs WHERE finished_at IS NOT NULL';
    return (await this.t.database.query<{ n: number }>(sql))[0].n;
  }

  /** Runs a whole sync. @returns what it counted */
  async sync() {
    this.t.clock.advance(5); // a page says nothing about changes of the seconds before it
    const before = await this.countFinished();
    this.nextSlot();
    await this.begin();
    return this.finished(before + 1);
  }

  /** A tenant that has paid at Stripe. @param known whether the events were delivered */
  async paid({ known = true } = {}): Promise<{ owner: Member; id: string }> {
    const { processor, actors } = this.t;
    const owner = await actors.owner();
    processor.chaos.drop = known ? 0 : 1;
    await processor.customerActions.pay(await this.billing.checkout(owner));
    await processor.drain();
    await this.billing.untilJobsAreDone('sync-subscription');
    processor.chaos.drop = 1;
    const { id } = processor.subscriptions().find(({ metadata }) => metadata.tenantId === owner.tenantId) as {
      id: string;
    };
    return { owner, id };
  }
}
