import { Inject, Injectable } from '@nestjs/common';
import { JwtService, TokenExpiredError } from '@nestjs/jwt';
import { SETTINGS, type Settings } from '../../config/settings';
import { Clock, MINUTE } from '../../platform/clock';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok } from '../../platform/result';
import { ACCESS_TOKEN_TYPE, SigningKeys } from '../../platform/signing-keys';
import type { Actor, Authentication } from './actor';

/** Lifetime of an access token in seconds (docs/specification.md, Limits). */
export const ACCESS_TOKEN_SECONDS = 15 * MINUTE;

/** The claims of an access token (docs/specification.md, JWT access token claims). */
export interface AccessClaims {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  /** Absent for a user without a tenant. */
  readonly tenant_id?: string;
  readonly role: string;
  readonly permissions: readonly string[];
  readonly is_admin: boolean;
  /** Unique: the id of its row in refresh_tokens, which leads to the session. */
  readonly jti: string;
  readonly impersonator_id?: string;
}

/** Verified tokens that are cached, about 5 MB. A client sends the same token for 15 minutes. */
const REMEMBERED_TOKENS = 5000;

/**
 * Issues and verifies access tokens: RS256, issuer and audience {base_url}, valid for 15 minutes.
 */
@Injectable()
export class AccessTokens {
  private readonly verified = new Map<string, Actor>();

  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Signs a token with these claims. */
  issue(claims: AccessClaims): Promise<string> {
    const iat = this.clock.nowInSeconds();
    return this.keys.sign({
      ...claims,
      iss: this.settings.baseUrl,
      aud: this.settings.baseUrl,
      iat,
      exp: iat + ACCESS_TOKEN_SECONDS,
    });
  }

  /**
   * The actor of a token. UNAUTHENTICATED if it is malformed, badly signed, or of another type,
   * issuer or audience; ACCESS_TOKEN_EXPIRED if it has expired.
   */
  read(token: string): Authentication {
    const known = this.verified.get(token);
    if (!known) return this.verify(token);
    return known.expiresAt > this.clock.nowInSeconds() ? ok(known) : err(PlatformFailures.accessTokenExpired);
  }

  private verify(token: string): Authentication {
    const { kid = '', typ } = unchecked<{ kid: string; typ: string }>(token, 0) ?? {};
    const publicKey = this.keys.publicKey(kid);
    if (!publicKey || typ !== ACCESS_TOKEN_TYPE) return err(PlatformFailures.unauthenticated);
    try {
      const claims = this.jwt.verify<AccessClaims & { exp: number }>(token, {
        publicKey: publicKey as never, // @nestjs/jwt accepts a KeyObject, although its types do not say so
        algorithms: ['RS256'],
        issuer: this.settings.baseUrl,
        audience: this.settings.baseUrl,
        clockTimestamp: this.clock.nowInSeconds(),
      });
      const actor = actorOf(claims);
      this.remember(token, actor);
      return ok(actor);
    } catch (error) {
      return err(
        error instanceof TokenExpiredError ? PlatformFailures.accessTokenExpired : PlatformFailures.unauthenticated,
      );
    }
  }

  /** Removes the oldest token when the cache is full. */
  private remember(token: string, actor: Actor): void {
    if (this.verified.size >= REMEMBERED_TOKENS) this.verified.delete(this.verified.keys().next().value!);
    this.verified.set(token, actor);
  }
}

/** Whether a token claims to be of an impersonation, even if it is invalid; nothing is verified. */
export const saysImpersonation = (token: string): boolean =>
  Boolean(unchecked<AccessClaims>(token, 1)?.impersonator_id);

/** The header (0) or claims (1) of a token, not verified. */
function unchecked<T extends object>(token: string, part: 0 | 1): Partial<T> | null {
  try {
    return JSON.parse(Buffer.from(token.split('.', 2)[part] ?? '', 'base64url').toString()) as Partial<T> | null;
  } catch {
    return null;
  }
}

const actorOf = (claims: AccessClaims & { exp: number }): Actor => ({
  principal: { kind: 'person', id: claims.sub },
  userId: claims.sub,
  isAdmin: claims.is_admin,
  tenantId: claims.tenant_id ?? null,
  role: claims.role,
  permissions: claims.permissions,
  impersonatorId: claims.impersonator_id ?? null,
  tokenId: claims.jti,
  expiresAt: claims.exp,
});
