import type { ProviderSettings, Settings } from '../../config/settings';
import type { Provider } from '../../users/users.api';
import { ProviderAnswerError, type ProviderClient } from './provider-client';
import { profileOf, type ClaimedProfile } from './provider-profile';
import type { SignInFlow } from './sign-in-flow';

/**
 * What the strategies of all providers are told: the client, PKCE (RFC 7636), and where state is
 * kept.
 */
export function strategyOptions(
  provider: Provider,
  settings: ProviderSettings,
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  flow: SignInFlow,
) {
  return {
    clientID: settings.clientId,
    clientSecret: settings.clientSecret,
    authorizationURL: settings.authorizationUrl,
    tokenURL: settings.tokenUrl,
    callbackURL: `${baseUrl}/api/v1/auth/${provider}/callback`,
    pkce: true,
    passReqToCallback: false as const,
    store: flow.storeOf(provider) as never, // with PKCE a store has other parameters than its type knows
  };
}

type Done = (error: unknown, ...outcome: unknown[]) => void;

/**
 * Has a passport strategy speak through our client.
 * @param strategy passport-oauth2's, with its HTTP client, which subclasses may use
 * @param read     what the provider says of the person who allowed this access
 */
export function speakThrough(
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
    throw new ProviderAnswerError('no access token'); // GitHub refuses with status 200
  };
  Object.assign(http, {
    getOAuthAccessToken: (code: string, parameters: Record<string, string>, done: Done) =>
      void exchange(code, parameters).then((accessToken) => done(null, accessToken, undefined, {}), done),
  });
  strategy.userProfile = (accessToken: string, done: Done) =>
    void read(accessToken)
      .then((claimed) => profileOf(provider, claimed))
      .then((profile) => done(null, profile), done);
}
