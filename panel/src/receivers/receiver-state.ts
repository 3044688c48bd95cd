import type { Schemas } from '@tenantry/client';

/** What operators see of webhook endpoints and of audit streams. */
export type Receiver = Pick<
  Schemas['AdminWebhookEndpointView'],
  'id' | 'tenantId' | 'host' | 'description' | 'failures' | 'failingSince' | 'disabledAt' | 'disabledWhy' | 'createdAt'
>;

/** Whether a receiver gets something, and accepts it. */
export const stateOf = ({ disabledAt, failingSince }: Receiver) =>
  disabledAt ? 'disabled' : failingSince ? 'failing' : 'healthy';

/** Why a receiver is disabled. */
export const REASONS: Record<NonNullable<Receiver['disabledWhy']>, string> = {
  user: 'By a member',
  gone: 'Answered 410',
  failing: 'Failed for five days',
  operator: 'By an operator',
};
