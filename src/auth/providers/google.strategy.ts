import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-google-oauth20';
import type { ProviderSettings, Settings } from '../../config/settings';
import type { ProviderClient } from './provider-client';
import type { ClaimedProfile, ProviderProfile } from './provider-profile';
import { useProviderClient, strategyOptions } from './provider-strategy';
import type { ProviderSignInState } from './provider-sign-in-state';

/** Google, with the UserInfo endpoint (OpenID Connect Core section 5.3). */
export class GoogleStrategy extends PassportStrategy(Strategy, 'google') {
  constructor(
    private readonly provider: ProviderSettings,
    settings: Settings,
    signInState: ProviderSignInState,
    private readonly client: ProviderClient,
  ) {
    super({ ...strategyOptions('google', provider, settings, signInState), scope: ['openid', 'email', 'profile'] });
    useProviderClient(client, 'google', provider, this, this._oauth2, (accessToken) => this.read(accessToken));
  }

  validate(_accessToken: string, _refreshToken: undefined, profile: ProviderProfile): ProviderProfile {
    return profile;
  }

  private async read(accessToken: string): Promise<ClaimedProfile> {
    const { sub, email, email_verified, name, picture } = await this.client.get(this.provider.profileUrl, accessToken);
    return { id: sub, verifiedEmail: email_verified === true ? email : null, name, picture };
  }
}
