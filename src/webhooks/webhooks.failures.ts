import { failure } from '../platform/result';

/** Failures of webhooks (docs/contract.md, Webhooks of tenants). */
export const WebhookFailures = {
  urlNotAllowed: failure('WEBHOOK_URL_NOT_ALLOWED', 'invalid', 'Webhooks cannot be sent to this address.'),
  tooManyEndpoints: failure(
    'LIMIT_REACHED',
    'conflict',
    'A tenant can have at most 10 webhook endpoints. Delete one first.',
  ),
  endpointDisabled: failure('CONFLICT', 'conflict', 'The endpoint is disabled. Enable it first.'),
  notVerified: failure(
    'CONFLICT',
    'conflict',
    'The receiver has not answered the challenge yet. Verify the endpoint first.',
  ),
  disabledByOperator: failure(
    'CONFLICT',
    'conflict',
    'An operator of the service disabled the receiver at this host. Contact support.',
  ),
  secretReplaced: failure(
    'CONFLICT',
    'conflict',
    'The secret was replaced before, and the earlier one is still in force until `oldKeysUntil`.',
  ),
  replayRunning: failure('CONFLICT', 'conflict', 'A replay to this endpoint is already running. Try again later.'),
};
