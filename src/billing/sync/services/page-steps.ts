import type { SubscriptionPage } from '../../stripe/stripe-reading.mapper';
import type { PageRange } from '../../subscriptions/data/subscription.repository';
import type { Progress } from '../data/sync-run.repository';
import type { SyncRun } from '../domain/sync-run';

/** The position of a run before and after a page. */
export type Step = Pick<Progress, 'from' | 'to' | 'hasReadAll' | 'reached' | 'ties'>;

/**
 * The creation times that a page covers, up to that of the previous page; all if Stripe restarted
 * the list.
 */
export function rangeOf(run: SyncRun, page: SubscriptionPage): PageRange {
  const isNewer = page.snapshots.some(({ createdAt }) => run.reached !== null && createdAt > run.reached);
  return {
    runId: run.id,
    from: page.cursor === null ? null : (oldestOf(page) ?? run.reached),
    to: isNewer ? null : run.reached,
    subscriptionIds: page.snapshots.map(({ subscriptionId }) => subscriptionId),
    completeUntil: page.completeUntil,
  };
}

/** The step of a run over a page. */
export function stepOver(run: SyncRun, page: SubscriptionPage): Step {
  return {
    from: run.cursor,
    to: page.cursor,
    hasReadAll: page.cursor === null,
    reached: oldestOf(page) ?? null,
    ties: tiesOf(page),
  };
}

/** The position of a run that stays on its page. */
export const stepInPlace = ({ cursor }: SyncRun): Step => ({
  from: cursor,
  to: cursor,
  hasReadAll: false,
  reached: null,
  ties: [],
});

/** When the oldest subscription on a page was created. */
const oldestOf = ({ snapshots }: SubscriptionPage): Date | undefined =>
  snapshots.map(({ createdAt }) => createdAt).sort((one, other) => +one - +other)[0];

/**
 * Those created in the same second as the oldest on the page: the next page may contain more of
 * them.
 */
function tiesOf(page: SubscriptionPage): string[] {
  const oldest = oldestOf(page);
  return page.snapshots.flatMap(({ createdAt, subscriptionId }) => (+createdAt === +oldest! ? subscriptionId : []));
}
