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

/** As Google and GitHub have them, below their names. */
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
 * An account whose id follows from its address: who is typed in again after a restart is the same
 * person to the service.
 */
export function accountFor(
  provider: ProviderName,
  name: string,
  email: string,
  isEmailVerified: boolean,
): ProviderAccount {
  const digest = createHash('sha256').update(`${provider} ${email.toLowerCase()}`).digest('hex');
  // a number, as at GitHub, that JSON can carry
  return { id: String(parseInt(digest.slice(0, 12), 16)), name, email, isEmailVerified };
}

export const demoAccounts = (provider: ProviderName): ProviderAccount[] => [
  accountFor(provider, 'Alma Admin', 'admin@example.com', true),
  accountFor(provider, 'Grace Hopper', 'grace@example.com', true),
  accountFor(provider, 'Nobody Verified', 'nobody@example.com', false),
];

const CODE_LIFETIME_IN_SECONDS = 60;

/**
 * The authorization server of one provider, with what it knows: its only client, the codes it gave
 * out and the tokens they were exchanged for.
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
   * Why an authorization request gets no page, and nobody is sent back. What else can be wrong with
   * it, the redirect says.
   */
  problemWith(query: Record<string, string>): string | undefined {
    if (query.client_id !== this.clientId) return `There is no client "${query.client_id ?? ''}" here.`;
    if (!isLocal(query.redirect_uri ?? '')) return `"${query.redirect_uri ?? ''}" is no address on this machine.`;
    if (!query.code_challenge || query.code_challenge_method !== 'S256')
      return 'The request lacks a PKCE challenge with the method S256.';
    return undefined;
  }

  /**
   * Where an authorization request sends the browser back to: with a code, or with what is wrong.
   * @param account null: the person has cancelled
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

  /** Gives a token for a code. */
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

  /** Whose token a request carries. */
  async accountOf(request: IncomingMessage): Promise<ProviderAccount> {
    return (await this.server.authenticate(new Request(request), new Response())).user as ProviderAccount;
  }

  /**
   * @param clientSecret null where a browser asks, which has none; the library lets a token request
   * with PKCE go without, we do not
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

  /** None: the service asks once who somebody is, and needs the provider no more. */
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
