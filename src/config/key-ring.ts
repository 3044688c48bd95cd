import { createSecretKey, type KeyObject } from 'node:crypto';
import { listOf } from './setting-values';

/** A key that seals values in the database (Vault). */
export interface SecretsKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The keys of SECRETS_KEYS. The first one seals, and all of them open. */
export type KeyRing = readonly SecretsKey[];

/** An id, and 32 bytes in base64 or base64url. */
const ENTRY = /^([a-z0-9]{1,16}):([A-Za-z0-9+/_-]{43}=?)$/;
/** Of 32 random bytes, about 30 are different. */
const FEWEST_DIFFERENT_BYTES = 16;
const HOW_TO = 'create one with: openssl rand -base64 32';

/**
 * Parses SECRETS_KEYS: `id:key,id:key`. Adds problems to `problems`, which name ids but never a
 * key.
 * @param text undefined: already reported as missing
 */
export function readKeyRing(text: string | undefined, problems: string[]): KeyRing {
  if (text === undefined) return [];
  const entries = listOf(text).map((entry) => ENTRY.exec(entry));
  if (entries.length === 0 || entries.includes(null)) {
    problems.push(`SECRETS_KEYS must be a list of id:key, each key 32 bytes in base64; ${HOW_TO}`);
    return [];
  }
  const ring = entries.map((entry) => readEntry(entry!, problems));
  for (const [index, { id, key }] of ring.entries()) {
    const earlier = ring.slice(0, index);
    if (earlier.some((other) => other.id === id)) problems.push(`SECRETS_KEYS has the id ${id} twice`);
    if (earlier.some((other) => other.key.equals(key))) problems.push(`SECRETS_KEYS has the key ${id} twice`);
  }
  return Object.freeze(ring);
}

function readEntry([, id, base64]: RegExpExecArray, problems: string[]): SecretsKey {
  const bytes = Buffer.from(base64, 'base64');
  if (isGuessable(bytes)) problems.push(`The key ${id} of SECRETS_KEYS is not random; ${HOW_TO}`);
  return Object.freeze({ id, key: createSecretKey(bytes) });
}

/** Whether a key is a placeholder, such as zeros, or readable text. */
function isGuessable(bytes: Buffer): boolean {
  return new Set(bytes).size < FEWEST_DIFFERENT_BYTES || bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}
