import { createHash, createPublicKey, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const signOnThreadPool = promisify<string, Buffer, KeyObject, Buffer>((algorithm, data, key, done) =>
  sign(algorithm, data, key, done),
);

/**
 * The header `typ` of an access token (RFC 9068 section 2.1): no other token that this key might
 * ever sign is taken for one.
 */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/**
 * The key that signs access tokens and the keys that verify them, as key objects: parsing PEM per
 * token costs three times the signature.
 */
export class SigningKeys {
  /** The key id of the signing key: its RFC 7638 thumbprint. */
  readonly kid: string;
  /** The public keys as a JWK set (RFC 7517), the signing one first. */
  readonly jwks: { readonly keys: readonly JsonWebKey[] };
  private readonly verifying: ReadonlyMap<string, KeyObject>;
  private readonly header: string;

  /** @param retired public keys that no longer sign but whose tokens may still live */
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

  /** The public key with this id, retired or not; undefined for a stranger's. */
  publicKey(kid: string): KeyObject | undefined {
    return this.verifying.get(kid);
  }

  /**
   * An access token (RFC 9068, typ at+jwt) with these claims: a signed compact JWS (RFC 7515
   * section 3.1). The signature (about 300 µs) is made on the thread pool, so that the event loop
   * keeps serving; @nestjs/jwt, which checks the tokens, signs on the event loop.
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
