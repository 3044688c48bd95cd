import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, NotWhileImpersonating, SignedIn } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { PlatformFailures } from '../../platform/platform.failures';
import { RegisterPasskey } from '../commands/register-passkey';
import { RemovePasskey } from '../commands/remove-passkey';
import { RenamePasskey } from '../commands/rename-passkey';
import { StartPasskeyRegistration } from '../commands/start-passkey-registration';
import { FactorFailures } from '../factors.failures';
import { ListPasskeys } from '../queries/list-passkeys';
import { PasskeyIdParam } from './passkey-id-param.decorator';
import { RegisterPasskeyBody, RenamePasskeyBody } from './passkey-registration.body';
import { PasskeyOptionsView, PasskeyView } from './views/passkeys.views';

/** The passkeys of the current user. */
@ApiTags('passkeys')
@Controller('auth/passkeys')
@SignedIn()
@NotWhileImpersonating()
export class PasskeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('options')
  @Fresh()
  @Responds({
    summary: 'Start adding a passkey',
    description: 'Pass the options to the browser, then its result to POST /auth/passkeys within 5 minutes.',
    data: PasskeyOptionsView,
    failures: [FactorFailures.tooManyPasskeys],
  })
  startPasskeyRegistration(@CurrentActor() actor: Actor) {
    return this.commands.execute(new StartPasskeyRegistration(actor));
  }

  @Post()
  @Fresh()
  @Responds({
    summary: 'Add a passkey',
    data: PasskeyView,
    failures: [FactorFailures.challengeExpired, FactorFailures.passkeyInvalid, FactorFailures.tooManyPasskeys],
  })
  registerPasskey(@CurrentActor() actor: Actor, @Body() body: RegisterPasskeyBody) {
    return this.commands.execute(new RegisterPasskey(actor, body.response, body.name));
  }

  @Get()
  @Responds({ summary: 'List your passkeys', data: PasskeyView, list: true })
  listPasskeys(@CurrentActor() actor: Actor, @Query() page: PageQuery) {
    return this.queries.execute(new ListPasskeys(actor.userId, page));
  }

  @Patch(':id')
  @StoresAnswer('afterwards')
  @Responds({ summary: 'Rename a passkey', data: PasskeyView, failures: [PlatformFailures.notFound] })
  renamePasskey(@CurrentActor() actor: Actor, @PasskeyIdParam() id: string, @Body() body: RenamePasskeyBody) {
    return this.commands.execute(new RenamePasskey(actor, id, body.name));
  }

  @Delete(':id')
  @Fresh()
  @Responds({
    summary: 'Remove a passkey',
    description: 'The last sign-in method cannot be removed: set a password first.',
    data: null,
    failures: [PlatformFailures.notFound, FactorFailures.lastWayIn],
  })
  removePasskey(@CurrentActor() actor: Actor, @PasskeyIdParam() id: string) {
    return this.commands.execute(new RemovePasskey(actor, id));
  }
}
