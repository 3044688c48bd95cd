import { Controller, Delete, Get } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, SignedIn } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { EnumParam } from '../../http/validation/enum-param.decorator';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { PROVIDERS, type Provider } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { UnlinkProvider } from '../commands/unlink-provider';
import { ListSignInMethods } from '../queries/list-sign-in-methods';
import { SignInMethodsView } from './views/sign-in-methods.views';

/** The sign-in methods of the current user. */
@ApiTags('passwordless')
@Controller('auth/providers')
@SignedIn()
export class SignInMethodsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({
    summary: 'Get your sign-in methods',
    description: 'Whether you have a password, and which providers are linked.',
    data: SignInMethodsView,
  })
  listSignInMethods(@CurrentActor() actor: Actor) {
    return this.queries.execute(new ListSignInMethods(actor.userId));
  }

  @Delete(':provider')
  @Fresh()
  @Responds({
    summary: 'Unlink a provider',
    description:
      'Signing in at the provider with the same verified address links it again, with an email. The last sign-in ' +
      'method cannot be removed: set a password first.',
    data: null,
    failures: [PlatformFailures.notFound, AuthFailures.lastWayIn],
  })
  unlinkProvider(@CurrentActor() actor: Actor, @EnumParam('provider', PROVIDERS) provider: Provider) {
    return this.commands.execute(new UnlinkProvider(actor, provider));
  }
}
