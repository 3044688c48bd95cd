import { failure } from '../platform/result';

/** Failures of webhooks (docs/contract.md, Webhooks of tenants). */
export const WebhookFailures = {
  urlNotAllowed: failure('WEBHOOK_URL_NOT_ALLOWED', 'invalid', 'Webhooks cannot be sent to this address.'),
  tooManyEndpoints: failure('LIMIT_REACHED', 'conflict', 'A tenant can have 10 webhook endpoints.'),
  endpointDisabled: failure('CONFLICT', 'conflict', 'The endpoint is disabled. Enable it first.'),
  disabledByOperator: failure(
    'CONFLICT',
    'conflict',
    'An operator disabled the endpoint at this host. Contact the support.',
  ),
  replayRunning: failure('CONFLICT', 'conflict', 'A replay to this endpoint is running. Try again later.'),
};
