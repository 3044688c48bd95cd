import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, which cannot be guessed. */
export const newSecret = (): Buffer => randomBytes(32);

/**
 * A secret as URL-safe base64 without padding (43 characters). The token itself is never stored.
 */
export function newSecretToken(): string {
  return newSecret().toString('base64url');
}

/**
 * The SHA-256 that is stored instead of a secret token. A slow hash is not needed: 256 random bits
 * cannot be guessed.
 */
export function digestOf(secretToken: string | Buffer): Buffer {
  return hash('sha256', secretToken, 'buffer');
}
