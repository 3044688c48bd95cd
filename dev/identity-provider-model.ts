import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import OAuth2Server, {
  OAuthError,
  Request,
  Response,
  type AuthorizationCode,
  type AuthorizationCodeModel,
  type Client,
  type Token,
} from '@node-oauth/oauth2-server';

export type ProviderName = 'google' | 'github';
export const PROVIDERS: ProviderName[] = ['google', 'github'];

/** The paths of Google and GitHub, below the name of the provider. */
export const ADDRESSES = {
  google: { title: 'Google', authorize: '/google/authorize', token: '/google/token', profile: '/google/userinfo' },
  github: {
    title: 'GitHub',
    authorize: '/github/login/oauth/authorize',
    token: '/github/login/oauth/access_token',
    profile: '/github/user',
    emails: '/github/user/emails',
  },
};

/** @param address with or without a host */
export const queryOf = (address: string) => Object.fromEntries(new URL(address, 'http://localhost').searchParams);

/** An account at the provider. */
export interface ProviderAccount {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly pictureUrl?: string;
}

/**
 * An account whose id is derived from its email, so that it is the same account after a restart.
 */
export function accountFor(
  provider: ProviderName,
  name: string,
  email: string,
  isEmailVerified: boolean,
): ProviderAccount {
  const digest = createHash('sha256').update(`${provider} ${email.toLowerCase()}`).digest('hex');
  // a number, as at GitHub, within the safe range of JSON
  return { id: String(parseInt(digest.slice(0, 12), 16)), name, email, isEmailVerified };
}

export const demoAccounts = (provider: ProviderName): ProviderAccount[] => [
  accountFor(provider, 'Alma Admin', 'admin@example.com', true),
  accountFor(provider, 'Grace Hopper', 'grace@example.com', true),
  accountFor(provider, 'Nobody Verified', 'nobody@example.com', false),
];

const CODE_LIFETIME_IN_SECONDS = 60;

/**
 * The authorization server of one provider: its only client, its authorization codes and its access
 * tokens.
 */
export class IdentityProviderModel implements AuthorizationCodeModel {
  private readonly codes = new Map<string, AuthorizationCode>();
  private readonly tokens = new Map<string, Token>();
  private readonly server: OAuth2Server;

  constructor(
    readonly clientId: string,
    readonly clientSecret: string,
  ) {
    this.server = new OAuth2Server({ model: this, authorizationCodeLifetime: CODE_LIFETIME_IN_SECONDS });
  }

  /**
   * The reason to show an error page instead of redirecting. Other errors are reported in the
   * redirect.
   */
  problemWith(query: Record<string, string>): string | undefined {
    if (query.client_id !== this.clientId) return `Unknown client "${query.client_id ?? ''}".`;
    if (!isLocal(query.redirect_uri ?? '')) return `"${query.redirect_uri ?? ''}" is no address on this machine.`;
    if (!query.code_challenge || query.code_challenge_method !== 'S256')
      return 'The request has no PKCE challenge with the method S256.';
    return undefined;
  }

  /**
   * The address to which an authorization request redirects, with a code or an error.
   * @param account null if the user canceled
   */
  async answer(query: Record<string, string>, account: ProviderAccount | null): Promise<string> {
    const request = new Request({ method: 'POST', headers: {}, query, body: account ? {} : { allowed: 'false' } });
    const response = new Response();
    try {
      await this.server.authorize(request, response, { authenticateHandler: { handle: () => account ?? {} } });
    } catch (error) {
      if (!response.get('location')) throw error;
    }
    return response.get('location') as string;
  }

  /** Exchanges a code for an access token. */
  async exchange(request: IncomingMessage): Promise<{ status: number; body: Record<string, string> }> {
    const response = new Response();
    try {
      await this.server.token(new Request(request), response);
      return { status: 200, body: response.body as Record<string, string> };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      return { status: error.code, body: { error: error.name, error_description: error.message } };
    }
  }

  /** The account of the access token of a request. */
  async accountOf(request: IncomingMessage): Promise<ProviderAccount> {
    return (await this.server.authenticate(new Request(request), new Response())).user as ProviderAccount;
  }

  /**
   * @param clientSecret null for browser requests. The library accepts a token request with PKCE
   * without a secret, the stand-in does not
   */
  getClient(clientId: string, clientSecret: string | null | undefined): Promise<Client | undefined> {
    const isKnown = clientId === this.clientId && (clientSecret === null || clientSecret === this.clientSecret);
    const client = { id: this.clientId, grants: ['authorization_code'], redirectUris: ['http://localhost'] };
    return Promise.resolve(isKnown ? client : undefined);
  }

  validateRedirectUri(redirectUri: string): Promise<boolean> {
    return Promise.resolve(isLocal(redirectUri));
  }

  saveAuthorizationCode(
    code: Omit<AuthorizationCode, 'client' | 'user'>,
    client: Client,
    user: object,
  ): Promise<AuthorizationCode> {
    const saved = { ...code, client, user } as AuthorizationCode;
    this.codes.set(saved.authorizationCode, saved);
    return Promise.resolve(saved);
  }

  getAuthorizationCode(code: string): Promise<AuthorizationCode | undefined> {
    return Promise.resolve(this.codes.get(code));
  }

  revokeAuthorizationCode({ authorizationCode }: AuthorizationCode): Promise<boolean> {
    return Promise.resolve(this.codes.delete(authorizationCode));
  }

  /** No refresh tokens: the service reads the profile once. */
  generateRefreshToken(): Promise<string> {
    return Promise.resolve('');
  }

  saveToken(token: Token, client: Client, user: object): Promise<Token> {
    const saved = { ...token, client, user };
    this.tokens.set(token.accessToken, saved);
    return Promise.resolve(saved);
  }

  getAccessToken(accessToken: string): Promise<Token | undefined> {
    return Promise.resolve(this.tokens.get(accessToken));
  }
}

function isLocal(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return ['http:', 'https:'].includes(protocol) && ['localhost', '127.0.0.1'].includes(hostname);
}
