import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { WebauthnLibrary } from './webauthn-library';

/** Sizes of RSA keys in bits: authenticators have the smallest, and large ones take long. */
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 4096;
const P256 = 1;

const text = (bytes: unknown) => Buffer.from(bytes as Uint8Array).toString('base64url');

/**
 * Checks that signatures can be verified with a COSE key, because the library looks at its
 * algorithm only: ES256 with a point of P-256, or RS256 with 2048 to 4096 bits.
 * @throws if it is another key, or none
 */
export function checkCredentialKey(library: WebauthnLibrary, publicKey: Uint8Array): void {
  const { asymmetricKeyDetails } = createPublicKey({ key: jwkOf(library, publicKey), format: 'jwk' });
  const bits = asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS;
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) throw new Error(`Unexpected key of ${bits} bits`);
}

function jwkOf({ cose, decodeCredentialPublicKey }: WebauthnLibrary, publicKey: Uint8Array): JsonWebKey {
  const { COSEKEYS } = cose;
  const key = decodeCredentialPublicKey(Uint8Array.from(publicKey));
  const algorithm = key.get(COSEKEYS.alg);
  if (cose.isCOSEPublicKeyEC2(key) && algorithm === cose.COSEALG.ES256 && key.get(COSEKEYS.crv) === P256)
    return { kty: 'EC', crv: 'P-256', x: text(key.get(COSEKEYS.x)), y: text(key.get(COSEKEYS.y)) };
  if (cose.isCOSEPublicKeyRSA(key) && algorithm === cose.COSEALG.RS256)
    return { kty: 'RSA', n: text(key.get(COSEKEYS.n)), e: text(key.get(COSEKEYS.e)) };
  throw new Error('Unexpected kind of key');
}
