import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { BillingFailures } from '../../billing/billing.api';
import { Fresh, LiveSession, NotWhileImpersonating, RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, CurrentTenantPerson, type TenantActor, type TenantPerson } from '../../http/access/actor';
import { PermissionsField } from '../../http/validation/choice-field.decorators';
import { OptionalFlag } from '../../http/validation/flag-field.decorators';
import { OptionalMomentField } from '../../http/validation/moment-field.decorators';
import { OptionalIntegerField } from '../../http/validation/number-field.decorators';
import { LabelField, OptionalLabelField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { IdParam } from '../../http/validation/id-param.decorator';
import type { Permission } from '../../platform/permissions';
import { PlatformFailures } from '../../platform/platform.failures';
import { TenantFailures } from '../../tenants/tenants.api';
import { ChangeServiceAccount } from '../commands/change-service-account';
import { CreateServiceAccount } from '../commands/create-service-account';
import { CreateServiceKey } from '../commands/create-service-key';
import { DeleteServiceAccount } from '../commands/delete-service-account';
import { MAX_REQUESTS_PER_MINUTE } from '../domain/key-limits';
import { KeyFailures } from '../keys.failures';
import { ListServiceAccounts } from '../queries/list-service-accounts';
import { NetworksField } from './networks-field.decorator';
import { NewApiKeyView, ServiceAccountView } from './views/keys.views';

class CreateServiceAccountBody {
  @LabelField(100, 'Nightly import') name!: string;
}

class ChangeServiceAccountBody {
  @OptionalLabelField(100, 'Nightly import') name?: string;
  @OptionalFlag() disabled?: boolean;
}

class CreateServiceKeyBody {
  @LabelField(100, 'Production') name!: string;
  @PermissionsField() permissions!: Permission[];
  @OptionalMomentField('2099-01-31T00:00:00.000Z') expiresAt?: Date;
  @NetworksField() allowedNetworks?: string[];
  @OptionalIntegerField(1, MAX_REQUESTS_PER_MINUTE, 600) perMinute?: number;
}

/** The service accounts of the active tenant. */
@ApiTags('keys')
@Controller('tenants/current/service-accounts')
@RequirePermission('tenant.keys.manage')
export class ServiceAccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({ summary: 'List service accounts', data: ServiceAccountView, list: true })
  listServiceAccounts(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListServiceAccounts(actor, page));
  }

  @Post()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Create a service account',
    data: ServiceAccountView,
    failures: [PlatformFailures.notFound, KeyFailures.tooManyServiceAccounts],
  })
  createServiceAccount(@CurrentTenantActor() actor: TenantActor, @Body() body: CreateServiceAccountBody) {
    return this.commands.execute(new CreateServiceAccount(actor, body.name));
  }

  @Patch(':id')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Rename, disable or enable a service account',
    description:
      'Omitted fields stay unchanged. The keys of a disabled account are refused within a second, and an email tells ' +
      'who created them. To enable it you need every permission of its keys; a key needs them for every change.',
    data: ServiceAccountView,
    failures: [PlatformFailures.notFound, TenantFailures.permissionNotHeld],
  })
  changeServiceAccount(
    @CurrentTenantActor() actor: TenantActor,
    @IdParam('id') id: string,
    @Body() body: ChangeServiceAccountBody,
  ) {
    return this.commands.execute(new ChangeServiceAccount(actor, id, body));
  }

  @Delete(':id')
  @LiveSession()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Delete a service account with its keys',
    description: 'An email tells who created the keys. A key needs every permission that they have.',
    data: null,
    failures: [PlatformFailures.notFound, TenantFailures.permissionNotHeld],
  })
  deleteServiceAccount(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.commands.execute(new DeleteServiceAccount(actor, id));
  }

  @Post(':id/keys')
  @Fresh()
  @Responds({
    summary: 'Create a key of a service account',
    description: 'The key is shown only once. You need every permission that the key gets.',
    data: NewApiKeyView,
    failures: [PlatformFailures.notFound, TenantFailures.permissionNotHeld, BillingFailures.planRequired],
  })
  createServiceKey(
    @CurrentTenantPerson() actor: TenantPerson,
    @IdParam('id') id: string,
    @Body() body: CreateServiceKeyBody,
  ) {
    const { expiresAt = null, allowedNetworks = [], perMinute = null, ...terms } = body;
    return this.commands.execute(new CreateServiceKey(actor, id, { ...terms, expiresAt, allowedNetworks, perMinute }));
  }
}
