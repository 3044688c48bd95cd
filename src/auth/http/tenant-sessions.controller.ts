import { Body, Controller, Post, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiveSession, NotWhileImpersonating, Public, SignedIn } from '../../http/access/access.guard';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { IdField, NameField, TokenField } from '../../http/validation/field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { TenantFailures } from '../../tenants/tenants.api';
import { NewPasswordField, UserFailures } from '../../users/users.api';
import { RegisterInvitedUser } from '../commands/register-invited-user';
import { SwitchTenant } from '../commands/switch-tenant';
import { AccessTokenView, TokenPair } from '../domain/token-pair';
import { SetRefreshCookie } from './refresh-cookie.interceptor';

class SwitchTenantBody {
  @IdField() tenantId!: string;
}

class RegisterInvitedUserBody {
  @TokenField() token!: string;
  @NameField(100, 'Ada Lovelace') name!: string;
  @NewPasswordField() password!: string;
}

/** Sessions that begin or go on in a certain tenant. */
@Controller()
@UseInterceptors(SetRefreshCookie)
export class TenantSessionsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('auth/switch-tenant')
  @LiveSession()
  @SignedIn()
  @NotWhileImpersonating()
  @ApiTags('auth')
  @Responds({
    summary: 'Make another of your tenants the active one',
    description:
      'An access token for that tenant. The session keeps its refresh token; its next refresh is for that tenant too.',
    data: AccessTokenView,
    failures: [PlatformFailures.notFound],
  })
  switchTenant(@CurrentActor() actor: Actor, @Body() body: SwitchTenantBody) {
    return this.commands.execute(new SwitchTenant(actor, body.tenantId));
  }

  @Post('invitations/register')
  @Public()
  @ApiTags('invitations')
  @Responds({
    summary: 'Make an account with an invitation',
    description:
      'In one step: the invitation proves the address, and takes an unverified account over. The inviting tenant is active.',
    data: TokenPair,
    failures: [
      TenantFailures.invitationInvalid,
      TenantFailures.invitationExpired,
      UserFailures.emailTaken,
      UserFailures.accountDisabled,
      PlatformFailures.notFound,
    ],
  })
  registerInvitedUser(@Body() body: RegisterInvitedUserBody) {
    return this.commands.execute(new RegisterInvitedUser(body.token, body.name, body.password));
  }
}
