import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-github2';
import type { ProviderSettings, Settings } from '../../config/settings';
import type { ProviderClient } from './provider-client';
import type { ClaimedProfile, ProviderProfile } from './provider-profile';
import { useProviderClient, strategyOptions } from './provider-strategy';
import type { ProviderSignInState } from './provider-sign-in-state';

/**
 * GitHub. The address in its profile is not verified; the list of addresses says which one is
 * primary and verified.
 */
export class GithubStrategy extends PassportStrategy(Strategy, 'github') {
  constructor(
    private readonly provider: ProviderSettings,
    private readonly settings: Settings,
    signInState: ProviderSignInState,
    private readonly client: ProviderClient,
  ) {
    super({ ...strategyOptions('github', provider, settings, signInState), scope: ['read:user', 'user:email'] });
    useProviderClient(client, 'github', provider, this, this._oauth2, (accessToken) => this.read(accessToken));
  }

  validate(_accessToken: string, _refreshToken: undefined, profile: ProviderProfile): ProviderProfile {
    return profile;
  }

  private async read(accessToken: string): Promise<ClaimedProfile> {
    const [profile, emails] = await Promise.all([
      this.client.get(this.provider.profileUrl, accessToken),
      this.client.list(this.settings.providers.githubEmailsUrl, accessToken),
    ]);
    const primary = emails.find((email) => email.primary === true && email.verified === true);
    return {
      id: profile.id,
      verifiedEmail: primary?.email,
      name: profile.name ?? profile.login,
      picture: profile.avatar_url,
    };
  }
}
