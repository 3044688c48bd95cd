import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, LiveSession, NotWhileImpersonating, RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, CurrentTenantPerson, type TenantActor, type TenantPerson } from '../../http/access/actor';
import { IntegerField } from '../../http/validation/number-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { OptionalChoiceField } from '../../http/validation/choice-field.decorators';
import { OptionalIdField } from '../../http/validation/id-field.decorators';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { TenantFailures } from '../../tenants/tenants.api';
import { RevokeKey } from '../commands/revoke-key';
import { RotateKey } from '../commands/rotate-key';
import { MAX_OVERLAP_HOURS } from '../domain/key-limits';
import { KeyFailures } from '../keys.failures';
import { KEY_OWNERS, ListKeys, type KeyOwnerKind } from '../queries/list-keys';
import { ApiKeyView, NewApiKeyView } from './views/keys.views';

class KeysQuery extends PageQuery {
  @OptionalChoiceField(KEY_OWNERS) owner?: KeyOwnerKind;
  @OptionalIdField('Only keys of this service account') serviceAccountId?: string;
}

class RotateKeyBody {
  /** Hours for which the replaced key can still be used. */
  @IntegerField(0, MAX_OVERLAP_HOURS, 24) overlapHours!: number;
}

/** All keys of the active tenant. */
@ApiTags('keys')
@Controller('tenants/current/keys')
@RequirePermission('tenant.keys.manage')
export class KeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({
    summary: 'List keys',
    description:
      'Newest first. Expired and revoked keys are listed for 30 days. `owner` selects keys of service accounts or ' +
      'personal tokens of members.',
    data: ApiKeyView,
    list: true,
  })
  listKeys(@CurrentTenantActor() actor: TenantActor, @Query() query: KeysQuery) {
    return this.queries.execute(new ListKeys(actor, query));
  }

  @Post(':id/rotate')
  @Fresh()
  @Responds({
    summary: 'Replace a key',
    description:
      'The new key is shown only once. The old key can be used for `overlapHours` more. ' +
      'You need every permission that the key has.',
    data: NewApiKeyView,
    failures: [
      PlatformFailures.notFound,
      TenantFailures.permissionNotHeld,
      KeyFailures.notRotatable,
      KeyFailures.tooManyReplacedKeys,
    ],
  })
  rotateKey(
    @CurrentTenantPerson() actor: TenantPerson,
    @IdParam('id') id: string,
    @Body() { overlapHours }: RotateKeyBody,
  ) {
    return this.commands.execute(new RotateKey(actor, id, overlapHours));
  }

  @Delete(':id')
  @LiveSession()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Revoke a key',
    description:
      'The key is refused within a second, and an email tells the person whose it was. ' +
      'A key can revoke only keys whose permissions it has and its person still holds.',
    data: null,
    failures: [PlatformFailures.notFound, TenantFailures.permissionNotHeld],
  })
  revokeKey(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.commands.execute(new RevokeKey(actor, id));
  }
}
