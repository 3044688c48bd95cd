import type { Plan } from '../domain/plan';

/** What a payment mail says. */
export interface PaymentLetterFacts {
  readonly name: string;
  readonly tenantName: string;
  readonly plan: Plan;
}
