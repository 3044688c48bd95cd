import { createHash, createPublicKey, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const signOnThreadPool = promisify<string, Buffer, KeyObject, Buffer>((algorithm, data, key, done) =>
  sign(algorithm, data, key, done),
);

/**
 * The header `typ` of an access token (RFC 9068, section 2.1), so that no other token signed with
 * this key is accepted as one.
 */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/**
 * The key that signs access tokens and the keys that verify them, as key objects: parsing PEM for
 * each token takes three times as long as the signature.
 */
export class SigningKeys {
  /** The key id of the signing key: its JWK thumbprint (RFC 7638). */
  readonly kid: string;
  /** The public keys as a JWK set (RFC 7517), the signing key first. */
  readonly jwks: { readonly keys: readonly JsonWebKey[] };
  private readonly verifying: ReadonlyMap<string, KeyObject>;
  private readonly header: string;

  /** @param retired public keys that no longer sign but verify tokens issued before */
  constructor(
    private readonly privateKey: KeyObject,
    retired: readonly KeyObject[],
  ) {
    const publicKeys = [createPublicKey(privateKey), ...retired];
    this.verifying = new Map(publicKeys.map((key) => [thumbprint(key), key]));
    this.kid = thumbprint(publicKeys[0]);
    this.header = encode({ alg: 'RS256', typ: ACCESS_TOKEN_TYPE, kid: this.kid });
    this.jwks = {
      keys: [...this.verifying].map(([kid, key]) => ({
        ...key.export({ format: 'jwk' }),
        kid,
        alg: 'RS256',
        use: 'sig',
      })),
    };
  }

  /** The public key with this id, or undefined. */
  publicKey(kid: string): KeyObject | undefined {
    return this.verifying.get(kid);
  }

  /**
   * Signs an access token (RFC 9068) as a compact JWS (RFC 7515, section 3.1). The signature takes
   * about 300 µs and runs on the thread pool, so the event loop is not blocked. @nestjs/jwt, which
   * verifies tokens, would sign on the event loop.
   */
  async sign(claims: object): Promise<string> {
    const signed = `${this.header}.${encode(claims)}`;
    const signature = await signOnThreadPool('RSA-SHA256', Buffer.from(signed), this.privateKey);
    return `${signed}.${signature.toString('base64url')}`;
  }
}

const encode = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');

function thumbprint(key: KeyObject): string {
  const { e, kty, n } = key.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
}
