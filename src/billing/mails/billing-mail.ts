import type { Plan } from '../entitlements/domain/plan';

/** What a mail about a subscription says. */
export interface BillingMailFacts {
  readonly name: string;
  /** Left out in jobs from before the link named its tenant. */
  readonly tenantId?: string;
  readonly tenantName: string;
  readonly plan: Plan;
  /** When the subscription or its trial ends, or has ended; as it comes out of a job. */
  readonly endsAt: string | null;
}

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** " on March 1, 2026", or nothing where it is not known. */
export const onDay = (at: string | null): string => (at ? ` on ${DAY.format(new Date(at))}` : '');
