import type { SyncRun } from '../../billing/billing.api';

/** A finished sync run as operators see it. */
export interface SyncRunSummary extends Pick<SyncRun, 'startedAt' | 'seen' | 'corrected' | 'unknown'> {
  readonly finishedAt: Date;
}

/** @param run a finished run */
export const syncRunSummary = ({ startedAt, finishedAt, seen, corrected, unknown }: SyncRun): SyncRunSummary => ({
  startedAt,
  finishedAt: finishedAt!,
  seen,
  corrected,
  unknown,
});
