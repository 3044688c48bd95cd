import { dateTime, isPast, mediumDate, timeAgo } from '../date-format';
import type { ApiKey } from './key-queries';

export type KeyState = 'active' | 'replaced' | 'expired' | 'revoked';

/** Whether a key can be used. One that was replaced can be used until its end. */
export function keyState({ revokedAt, expiresAt, rotatedTo }: ApiKey): KeyState {
  if (revokedAt) return 'revoked';
  if (expiresAt && isPast(expiresAt)) return 'expired';
  return rotatedTo ? 'replaced' : 'active';
}

/** "Last used 5 minutes ago · expires on March 1, 2027" */
export function keyUseText(key: ApiKey): string {
  const used = key.lastUsedAt ? `last used ${timeAgo(key.lastUsedAt)}` : 'not used yet';
  return [`Created on ${mediumDate(key.createdAt)}`, used, endText(key)].filter(Boolean).join(' · ');
}

function endText(key: ApiKey): string {
  const { revokedAt, expiresAt } = key;
  if (revokedAt) return `revoked on ${mediumDate(revokedAt)}`;
  if (!expiresAt) return 'does not expire';
  if (isPast(expiresAt)) return `ended on ${mediumDate(expiresAt)}`;
  return keyState(key) === 'replaced'
    ? `can be used until ${dateTime(expiresAt)}`
    : `expires on ${mediumDate(expiresAt)}`;
}

/** What restricts a key besides its permissions; undefined if nothing does. */
export function keyLimitsText({ allowedNetworks, perMinute }: ApiKey): string | undefined {
  const networks = allowedNetworks.length > 0 && `Only from ${allowedNetworks.join(', ')}`;
  const limit = perMinute !== null && `At most ${perMinute} requests a minute`;
  return [networks, limit].filter(Boolean).join(' · ') || undefined;
}
