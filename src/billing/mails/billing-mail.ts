import type { Plan } from '../entitlements/domain/plan';

/** The data of an email about a subscription. */
export interface BillingMailFacts {
  /** The Owner's name. */
  readonly name: string;
  /** Missing in jobs that were enqueued before the link named its tenant. */
  readonly tenantId?: string;
  readonly tenantName: string;
  readonly plan: Plan;
  /**
   * When the subscription or its trial ends or has ended: ISO 8601, from the payload of the job.
   */
  readonly endsAt: string | null;
}

export const FOOTNOTE = 'You receive this email because you own this workspace.';

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** " on March 1, 2026", or an empty string for an unknown date. */
export const onDay = (at: string | null): string => (at ? ` on ${DAY.format(new Date(at))}` : '');
