import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, InTenant, LiveSession, NotWhileImpersonating, SignedIn } from '../../http/access/access.decorators';
import { CurrentActor, CurrentTenantPerson, type Actor, type TenantPerson } from '../../http/access/actor';
import { PermissionsField } from '../../http/validation/choice-field.decorators';
import { MomentField } from '../../http/validation/moment-field.decorators';
import { LabelField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { IdParam } from '../../http/validation/id-param.decorator';
import type { Permission } from '../../platform/permissions';
import { PlatformFailures } from '../../platform/platform.failures';
import { TenantFailures } from '../../tenants/tenants.api';
import { CreatePersonalToken } from '../commands/create-personal-token';
import { DeletePersonalToken } from '../commands/delete-personal-token';
import { KeyFailures } from '../keys.failures';
import { ListPersonalTokens } from '../queries/list-personal-tokens';
import { NetworksField } from './networks-field.decorator';
import { ApiKeyView, NewApiKeyView } from './views/keys.views';

class CreatePersonalTokenBody {
  @LabelField(100, 'Laptop') name!: string;
  @PermissionsField() permissions!: Permission[];
  @MomentField() expiresAt!: Date;
  @NetworksField() allowedNetworks?: string[];
}

/** The keys with which programs act as the user. */
@ApiTags('keys')
@Controller('users/me/tokens')
@SignedIn()
export class PersonalTokensController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({
    summary: 'List your personal tokens',
    description: 'Tokens for all of your tenants, newest first.',
    data: ApiKeyView,
    list: true,
  })
  listPersonalTokens(@CurrentActor() actor: Actor, @Query() page: PageQuery) {
    return this.queries.execute(new ListPersonalTokens(actor.userId, page));
  }

  @Post()
  @Fresh()
  @InTenant()
  @Responds({
    summary: 'Create a personal token',
    description:
      'The token is for the active tenant, and valid for at most a year or as long as the sign-in policy allows. ' +
      'It is shown only once. It can do what its permissions and your role allow, and ends with your membership.',
    data: NewApiKeyView,
    failures: [
      PlatformFailures.notFound,
      TenantFailures.permissionNotHeld,
      KeyFailures.tokensOff,
      KeyFailures.tooManyTokens,
    ],
  })
  createPersonalToken(@CurrentTenantPerson() actor: TenantPerson, @Body() body: CreatePersonalTokenBody) {
    const { allowedNetworks = [], ...terms } = body;
    return this.commands.execute(new CreatePersonalToken(actor, { ...terms, allowedNetworks }));
  }

  @Delete(':id')
  @LiveSession()
  @NotWhileImpersonating()
  @Responds({ summary: 'Delete a personal token', data: null, failures: [PlatformFailures.notFound] })
  deletePersonalToken(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new DeletePersonalToken(actor, id));
  }
}
