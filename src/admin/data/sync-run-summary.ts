import type { SyncRun } from '../../billing/billing.api';

/** A finished sync run as operators see it. */
export interface SyncRunSummary extends Pick<
  SyncRun,
  'startedAt' | 'seen' | 'corrected' | 'unknown' | 'unknownPrices'
> {
  readonly finishedAt: Date;
}

/** @param run a finished run */
export const syncRunSummary = (run: Pick<SyncRun, keyof SyncRunSummary>): SyncRunSummary => ({
  startedAt: run.startedAt,
  finishedAt: run.finishedAt!,
  seen: run.seen,
  corrected: run.corrected,
  unknown: run.unknown,
  unknownPrices: run.unknownPrices,
});
