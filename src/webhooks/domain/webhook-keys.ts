import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';

/** The keys with which the messages to an endpoint are signed. */
export interface WebhookKeys {
  /** Known to the receiver, too: `whsec_` and 32 bytes in base64. */
  readonly secret: string;
  /** An Ed25519 key as PKCS#8 in base64, which only the service knows. */
  readonly signingKey: string;
}

/** The same, ready to sign with. */
export interface SigningKeys {
  readonly hmacKey: Buffer;
  readonly signingKey: KeyObject;
}

const SECRET_BYTES = 32;
/** The header before the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const SPKI_HEADER_BYTES = 12;

export function newWebhookKeys(): WebhookKeys {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    secret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
    signingKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  };
}

/** The public key with which a receiver can verify: `whpk_` and 32 bytes in base64. */
export function publicKeyOf({ signingKey }: WebhookKeys): string {
  const spki = createPublicKey(privateKeyOf(signingKey)).export({ type: 'spki', format: 'der' });
  return `whpk_${spki.subarray(SPKI_HEADER_BYTES).toString('base64')}`;
}

export const signingKeysOf = ({ secret, signingKey }: WebhookKeys): SigningKeys => ({
  hmacKey: Buffer.from(secret.slice('whsec_'.length), 'base64'),
  signingKey: privateKeyOf(signingKey),
});

/**
 * The header `webhook-signature` (Standard Webhooks 1.0): for each pair of keys an HMAC-SHA256 and
 * an Ed25519 signature, separated by spaces.
 * @param seconds when it is sent, in seconds since 1970
 * @param body exactly as it is sent
 */
export function signatureOf(keys: readonly SigningKeys[], id: string, seconds: number, body: string): string {
  const signed = Buffer.from(`${id}.${seconds}.${body}`);
  return keys
    .flatMap(({ hmacKey, signingKey }) => {
      const hmac = createHmac('sha256', hmacKey).update(signed);
      return [`v1,${hmac.digest('base64')}`, `v1a,${sign(null, signed, signingKey).toString('base64')}`];
    })
    .join(' ');
}

const privateKeyOf = (base64: string) =>
  createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
