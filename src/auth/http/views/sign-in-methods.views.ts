import { ApiProperty } from '@nestjs/swagger';
import { NullableTime } from '../../../http/validation/nullable.decorators';
import { PROVIDERS, type Provider } from '../../../users/users.api';

/** An identity provider, and whether it is linked to the current user. */
export class ProviderView {
  @ApiProperty({ enum: PROVIDERS }) readonly provider!: Provider;
  @ApiProperty({ type: Boolean, description: 'Whether this deployment supports signing in with the provider' })
  readonly isConfigured!: boolean;
  @NullableTime('When the provider was linked; null if it is not linked')
  readonly linkedAt!: Date | null;
}

/** The sign-in methods of the current user. An emailed link always works as well. */
export class SignInMethodsView {
  @ApiProperty({ type: Boolean }) readonly hasPassword!: boolean;
  @ApiProperty({ type: [ProviderView], description: 'All providers that the service knows' })
  readonly providers!: readonly ProviderView[];
}
