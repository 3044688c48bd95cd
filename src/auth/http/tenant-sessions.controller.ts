import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiveSession, NotWhileImpersonating, Public, SignedIn } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { IdField } from '../../http/validation/id-field.decorators';
import { TokenField } from '../../http/validation/secret-field.decorators';
import { NameField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { TenantFailures } from '../../tenants/tenants.api';
import { NewPasswordField, UserFailures } from '../../users/users.api';
import { RegisterInvitedUser } from '../commands/register-invited-user';
import { SwitchTenant } from '../commands/switch-tenant';
import { IssuesSession } from './session-cookie.interceptor';
import { AccessTokenView, SignInView } from './views/token.views';

class SwitchTenantBody {
  @IdField() tenantId!: string;
}

class RegisterInvitedUserBody {
  @TokenField() token!: string;
  @NameField(100, 'Ada Lovelace') name!: string;
  @NewPasswordField() password!: string;
}

/** Sessions in a specific tenant. */
@Controller()
export class TenantSessionsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('auth/switch-tenant')
  @StoresAnswer('never')
  @LiveSession()
  @SignedIn()
  @NotWhileImpersonating()
  @ApiTags('auth')
  @Responds({
    summary: 'Switch the active tenant',
    description:
      'Returns an access token for the tenant. The refresh token of the session stays valid; its next ' +
      'refresh is for the same tenant, unless it names another.',
    data: AccessTokenView,
    failures: [
      PlatformFailures.notFound,
      PlatformFailures.secondFactorRequired,
      PlatformFailures.methodNotAllowed,
      PlatformFailures.sessionTooOld,
    ],
  })
  switchTenant(@CurrentActor() actor: Actor, @Body() body: SwitchTenantBody) {
    return this.commands.execute(new SwitchTenant(actor, body.tenantId));
  }

  @Post('invitations/register')
  @StoresAnswer('never')
  @Public()
  @IssuesSession()
  @ApiTags('invitations')
  @Responds({
    summary: 'Create an account with an invitation',
    description:
      'The invitation proves the address, so no verification email is sent. An unverified account with the ' +
      'address is taken over. The inviting ' +
      'tenant becomes active.',
    data: SignInView,
    failures: [
      TenantFailures.invitationInvalid,
      TenantFailures.invitationExpired,
      TenantFailures.seatLimit,
      UserFailures.emailTaken,
      UserFailures.accountDisabled,
      PlatformFailures.notFound,
    ],
  })
  registerInvitedUser(@Body() body: RegisterInvitedUserBody) {
    return this.commands.execute(new RegisterInvitedUser(body.token, body.name, body.password));
  }
}
