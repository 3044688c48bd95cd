import { sign } from 'jsonwebtoken';
import type { Permission } from '../../src/platform/permissions';

const LIFETIME = '12h';

/** What signs access tokens, as the service does. */
export interface TokenSigner {
  /** The issuer, which is also the audience. */
  readonly issuer: string;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
  readonly keyId: string;
}

/** The user of an access token, in a tenant. */
export interface TokenHolder {
  readonly userId: string;
  readonly email: string;
  readonly tenantId: string;
  readonly role: string;
  readonly permissions: readonly Permission[];
  /** The `jti`. The session of the token is found by it. */
  readonly tokenId: string;
}

/** Signs an access token that is valid for a whole run. */
export function newAccessToken({ issuer, privateKey, keyId }: TokenSigner, holder: TokenHolder): string {
  const { userId, email, tenantId, role, permissions, tokenId } = holder;
  const claims = { email, name: role, tenant_id: tenantId, role, permissions, is_admin: false, jti: tokenId };
  const header = { alg: 'RS256', kid: keyId, typ: 'at+jwt' };
  const options = { algorithm: 'RS256', header, issuer, audience: issuer, expiresIn: LIFETIME } as const;
  return sign(claims, privateKey, { ...options, subject: userId });
}
