import type { ProviderSettings, Settings } from '../../config/settings';
import type { Provider } from '../../users/users.api';
import { ProviderResponseError, type ProviderClient } from './provider-client';
import { validateProfile, type ClaimedProfile } from './provider-profile';
import type { ProviderSignInState } from './provider-sign-in-state';

/** The options of all strategies: the OAuth client, PKCE (RFC 7636) and the state store. */
export function strategyOptions(
  provider: Provider,
  settings: ProviderSettings,
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  signInState: ProviderSignInState,
) {
  return {
    clientID: settings.clientId,
    clientSecret: settings.clientSecret,
    authorizationURL: settings.authorizationUrl,
    tokenURL: settings.tokenUrl,
    callbackURL: `${baseUrl}/api/v1/auth/${provider}/callback`,
    pkce: true,
    passReqToCallback: false as const,
    store: signInState.stateStore(provider) as never, // the type of the library does not cover stores for PKCE
  };
}

type Done = (error: unknown, ...outcome: unknown[]) => void;

/**
 * Makes a passport strategy send its requests with ProviderClient.
 * @param strategy a strategy of passport-oauth2
 * @param http the HTTP client of the strategy
 * @param read reads the profile with an access token
 */
export function useProviderClient(
  client: ProviderClient,
  provider: Provider,
  settings: ProviderSettings,
  strategy: { userProfile: unknown },
  http: object,
  read: (accessToken: string) => Promise<ClaimedProfile>,
): void {
  const exchange = async (code: string, parameters: Record<string, string>) => {
    const form = { ...parameters, code, client_id: settings.clientId, client_secret: settings.clientSecret };
    const { access_token: accessToken } = await client.post(settings.tokenUrl, form);
    if (typeof accessToken === 'string' && accessToken !== '') return accessToken;
    throw new ProviderResponseError('no access token'); // GitHub refuses with status 200
  };
  Object.assign(http, {
    getOAuthAccessToken: (code: string, parameters: Record<string, string>, done: Done) =>
      exchange(code, parameters).then((accessToken) => done(null, accessToken, undefined, {}), done),
  });
  strategy.userProfile = (accessToken: string, done: Done) =>
    read(accessToken)
      .then((claimed) => validateProfile(provider, claimed))
      .then((profile) => done(null, profile), done);
}
