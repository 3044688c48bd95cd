import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const BYTES = 32;

/**
 * A secret that every instance derives from JWT_PRIVATE_KEY (RFC 5869), so that it needs no setting
 * of its own. It changes with the private key.
 * @param purpose a text that no other purpose uses
 */
export function derivedKey(privateKey: KeyObject, purpose: string): KeyObject {
  const bytes = privateKey.export({ type: 'pkcs8', format: 'der' });
  return createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', purpose, BYTES)));
}
