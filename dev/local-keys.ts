import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The signing key of local mode, created once and kept in `file`. */
export function signingKeyIn(file: string): string {
  if (!existsSync(file)) writeFileSync(file, newSigningKey(), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** A new RSA key of 2048 bits as PKCS#8 PEM. */
export function newSigningKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}
