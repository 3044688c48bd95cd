import type { ApiKey } from '../domain/api-key';

/** The columns of a key that responses show. */
export const API_KEY_COLUMNS = [
  'id',
  'tenantId',
  'serviceAccountId',
  'userId',
  'name',
  'hint',
  'permissions',
  'allowedNetworks',
  'perMinute',
  'expiresAt',
  'lastUsedAt',
  'usedNetworks',
  'rotatedTo',
  'revokedAt',
  'createdBy',
  'createdAt',
] as const;

/** The part of a key that responses show. */
export type ApiKeyDetails = Pick<ApiKey, (typeof API_KEY_COLUMNS)[number]>;

/** Copies what responses show of a key. */
export const apiKeyDetails = (key: ApiKey): ApiKeyDetails =>
  Object.fromEntries(API_KEY_COLUMNS.map((column) => [column, key[column]])) as unknown as ApiKeyDetails;
