import type { ChaosReport } from './chaos-report';

/** What each run must have caused, at least. A run that did nothing would always converge. */
const LEAST: readonly [what: string, least: number, count: (report: ChaosReport) => number][] = [
  ['events', 51, ({ events }) => events],
  ['subscriptions corrected by the sync', 1, ({ corrected }) => corrected],
  ['special terms of subscriptions', 3, ({ terms }) => Object.keys(terms).length],
  ['changes at Stripe', 1, ({ changes }) => changes],
  ['kills', 1, ({ kills }) => kills],
  ['statuses', 2, ({ statuses }) => Object.keys(statuses).length],
  ['webhook messages', 101, ({ webhooks }) => webhooks.messages],
  ['repeated webhook requests', 1, ({ webhooks }) => webhooks.repeated],
];

/** A sentence for each part of the run that did too little to prove anything. */
export function missingActivity(report: ChaosReport): string[] {
  return LEAST.flatMap(([what, least, count]) =>
    count(report) < least ? [`The run had only ${count(report)} ${what}; at least ${least} are expected.`] : [],
  );
}
