import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The signing key of local mode, created once and kept in `file`. */
export function signingKeyIn(file: string): string {
  if (!existsSync(file)) writeFileSync(file, newSigningKey(), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** The keys that seal secrets in local mode (SECRETS_KEYS), created once and kept in `file`. */
export function secretsKeysIn(file: string): string {
  if (!existsSync(file)) writeFileSync(file, newSecretsKeys(), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** A new value of SECRETS_KEYS, with one key. */
export function newSecretsKeys(id = 'k1'): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

/** A new RSA key of 2048 bits as PKCS#8 PEM. */
export function newSigningKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}
