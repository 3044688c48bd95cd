import { failure } from '../platform/result';
import {
  MAX_REPLACED_KEYS_PER_TENANT,
  MAX_SERVICE_ACCOUNTS_PER_TENANT,
  MAX_TOKENS_PER_MEMBER,
} from './domain/key-limits';

/** The expected failures of service accounts and API keys (docs/contract.md, Error codes). */
export const KeyFailures = {
  tooManyReplacedKeys: failure(
    'LIMIT_REACHED',
    'conflict',
    `A tenant can have at most ${MAX_REPLACED_KEYS_PER_TENANT} replaced keys that are still valid. Revoke one first.`,
  ),
  tooManyTokens: failure(
    'LIMIT_REACHED',
    'conflict',
    `You can have at most ${MAX_TOKENS_PER_MEMBER} personal tokens in a tenant. Delete one first.`,
  ),
  tokensOff: failure(
    'PERSONAL_TOKENS_NOT_ALLOWED',
    'forbidden',
    'This tenant does not allow personal tokens. Ask an admin for a key of a service account.',
  ),
  tooManyServiceAccounts: failure(
    'LIMIT_REACHED',
    'conflict',
    `A tenant can have at most ${MAX_SERVICE_ACCOUNTS_PER_TENANT} service accounts. Delete one first.`,
  ),
  invalidSignature: failure('INVALID_SIGNATURE', 'invalid', 'The signature does not match any public key of GitHub.'),
  notRotatable: failure('CONFLICT', 'conflict', 'This key has been rotated, has expired or has been revoked.'),
};
