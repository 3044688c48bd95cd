import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { COUNT } from '../../../http/validation/count-schema';
import { FACTOR_METHODS, type FactorMethod } from '../../../factors/factors.api';
import { eitherOf } from '../../../http/openapi/view-variants';
import { UserView } from '../../../users/users.api';

/** An access token without a refresh token. */
export class AccessTokenView {
  @ApiProperty({ type: String, description: 'A JWT signed with RS256. Send it as a bearer token.' })
  readonly accessToken!: string;
  @ApiProperty({ type: String, enum: ['Bearer'] }) readonly tokenType!: string;
  @ApiProperty({ ...COUNT, description: 'Seconds until the access token expires' }) readonly expiresIn!: number;
}

/**
 * The response to every sign-in (docs/contract.md, Token pair). The refresh token is also set as a
 * cookie.
 */
@ApiSchema({ name: 'TokenPair' })
export class TokenPairView extends AccessTokenView {
  @ApiPropertyOptional({
    type: String,
    description: 'Opaque and single use: exchange it for the next pair. Only in the cookie if X-Session is sent.',
  })
  readonly refreshToken?: string;
}

/** A sign-in that needs a second factor: POST /auth/second-factor continues it. */
class TicketView {
  @ApiProperty({ type: String, description: 'Opaque and single use' }) readonly ticket!: string;
  @ApiProperty({ enum: FACTOR_METHODS, isArray: true, description: 'Any of them is enough' })
  readonly methods!: readonly FactorMethod[];
  @ApiProperty({ ...COUNT, description: 'Seconds until the ticket expires' }) readonly expiresIn!: number;
}

/** The response to a sign-in of a user with a second factor. */
@ApiSchema({ name: 'SecondFactorNeeded' })
export class SecondFactorNeededView {
  @ApiProperty({ type: TicketView, description: 'How to continue' }) readonly secondFactor!: TicketView;
}

/** For the descriptions of redirects that sign in. */
export const TICKET_IN_FRAGMENT =
  'If the user has a second factor, the fragment has #secondFactorTicket, #methods (separated by commas) and ' +
  '#expiresIn in place of tokens: POST /auth/second-factor continues the sign-in.';

/** The response to a sign-in. */
export const SignInView = eitherOf('SignIn', TokenPairView, SecondFactorNeededView);

/** The response to a registration. */
export class RegisteredView {
  @ApiProperty({ type: UserView, description: 'The new account' }) readonly user!: UserView;
}

/** The response to an impersonation. There is no refresh token: it ends with the access token. */
export class ImpersonationView {
  @ApiProperty({ type: String, description: "A JWT with the user's own claims and impersonator_id" })
  readonly accessToken!: string;
  @ApiProperty({ type: String, enum: ['Bearer'] }) readonly tokenType!: string;
  @ApiProperty({ ...COUNT, description: 'Seconds until the access token expires' }) readonly expiresIn!: number;
  @ApiProperty({ type: UserView, description: 'The impersonated user' }) readonly user!: UserView;
}
