import { Controller, Delete, Get } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiveSession, NotWhileImpersonating, SignedIn } from '../../http/access/access.guard';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { EnumParam } from '../../http/validation/enum-param.decorator';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { PROVIDERS, type Provider } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { UnlinkProvider } from '../commands/unlink-provider';
import { ListSignInMethods, SignInMethodsView } from '../queries/list-sign-in-methods';

/** One's own ways in. */
@ApiTags('passwordless')
@Controller('auth/providers')
@SignedIn()
export class ProvidersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({ summary: 'Your password and your linked providers', data: SignInMethodsView })
  listSignInMethods(@CurrentActor() actor: Actor) {
    return this.queries.execute(new ListSignInMethods(actor.userId));
  }

  @Delete(':provider')
  @LiveSession()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Unlink a provider',
    description:
      'Your account there no longer signs in by its link; by the same verified address it can be linked again, which is mailed. Not the last way in: ' +
      'where you have no password and no other provider, set a password first.',
    data: null,
    failures: [PlatformFailures.notFound, AuthFailures.lastWayIn],
  })
  unlinkProvider(@CurrentActor() actor: Actor, @EnumParam('provider', PROVIDERS) provider: Provider) {
    return this.commands.execute(new UnlinkProvider(actor, provider));
  }
}
