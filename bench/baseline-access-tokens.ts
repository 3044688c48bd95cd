import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { Request } from 'express';
import { verify } from 'jsonwebtoken';
import { membershipClaims, type MembershipRow } from '../src/tenants/data/membership-claims';
import { SigningKeys } from '../src/platform/signing-keys';

/** The claims that the baseline reads. */
export interface Claims {
  readonly sub: string;
  readonly tenant_id: string;
  readonly role: string;
  readonly permissions: string[];
}

const { BASE_URL } = process.env;
const VALID_SECONDS = 900;
const privateKey = createPrivateKey(process.env.JWT_PRIVATE_KEY!);
const publicKey = createPublicKey(privateKey);
const keys = new SigningKeys(privateKey, []);
const EXPECTED = { algorithms: ['RS256' as const], issuer: BASE_URL, audience: BASE_URL };

/** Verifies the access token of a request. */
export const claimsOf = (request: Request): Claims =>
  verify(request.headers.authorization!.slice(7), publicKey, EXPECTED) as unknown as Claims;

/** The response to a sign-in or refresh. */
export async function tokenPair(
  { id, email, name }: { readonly id: string; readonly email: string; readonly name: string },
  membership: MembershipRow,
  jti: string,
  refreshToken: string,
) {
  const iat = Math.floor(Date.now() / 1000);
  const times = { iat, exp: iat + VALID_SECONDS };
  const subject = { sub: id, email, name, ...membershipClaims(membership), is_admin: false };
  const accessToken = await keys.sign({ ...subject, jti, iss: BASE_URL, aud: BASE_URL, ...times });
  return { success: true, data: { accessToken, refreshToken, tokenType: 'Bearer', expiresIn: VALID_SECONDS } };
}
