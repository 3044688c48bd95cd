import { createHash, randomBytes } from 'node:crypto';

/**
 * 256 random bits as URL-safe base64 without padding (43 characters); given to its holder once and
 * never stored.
 */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * What is stored instead of a secret token. A plain SHA-256 is enough: 256 random bits cannot be
 * guessed.
 */
export function digestOf(secretToken: string): Buffer {
  return createHash('sha256').update(secretToken).digest();
}
