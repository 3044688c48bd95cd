/**
 * Limits (docs/contract.md, API keys): high enough for any use, and low enough to keep lists short.
 */
/** Keys that were replaced and can still be used. The others are limited by the plan. */
export const MAX_REPLACED_KEYS_PER_TENANT = 200;
export const MAX_SERVICE_ACCOUNTS_PER_TENANT = 50;
export const MAX_NETWORKS_PER_KEY = 20;
/** Networks that are remembered of the use of a key. */
export const MAX_USED_NETWORKS = 20;
export const MAX_REQUESTS_PER_MINUTE = 100_000;
export const MAX_TOKENS_PER_MEMBER = 20;
/** Hours for which a rotated key can still be used. */
export const MAX_OVERLAP_HOURS = 168;
