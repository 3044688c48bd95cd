import type { Schemas } from '@tenantry/client';

type Endpoint = Schemas['AdminWebhookEndpointView'];

/** Whether an endpoint gets messages, and accepts them. */
export const stateOf = ({ disabledAt, failingSince }: Endpoint) =>
  disabledAt ? 'disabled' : failingSince ? 'failing' : 'healthy';

/** Why an endpoint is disabled. */
export const REASONS: Record<NonNullable<Endpoint['disabledWhy']>, string> = {
  user: 'By a member',
  gone: 'Answered 410',
  failing: 'Failed for five days',
  operator: 'By an operator',
};
