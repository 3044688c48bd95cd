import { hash, randomBytes } from 'node:crypto';

/**
 * 256 random bits as URL-safe base64 without padding (43 characters). The token itself is never
 * stored.
 */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The SHA-256 that is stored instead of a secret token. A slow hash is not needed: 256 random bits
 * cannot be guessed.
 */
export function digestOf(secretToken: string | Buffer): Buffer {
  return hash('sha256', secretToken, 'buffer');
}
