import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  Fresh,
  NotWhileImpersonating,
  OwnerOnly,
  RequirePermission,
  SignedIn,
} from '../../http/access/access.decorators';
import {
  CurrentActor,
  CurrentTenantActor,
  CurrentTenantPerson,
  type Actor,
  type TenantActor,
  type TenantPerson,
} from '../../http/access/actor';
import { IdField } from '../../http/validation/id-field.decorators';
import { NameField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { PlatformFailures } from '../../platform/platform.failures';
import { TenantFailures } from '../tenants.failures';
import { CreateTenant } from '../commands/create-tenant';
import { DeleteTenant } from '../commands/delete-tenant';
import { RenameTenant } from '../commands/rename-tenant';
import { TransferOwnership } from '../commands/transfer-ownership';
import { GetCurrentTenant } from '../queries/get-current-tenant';
import { ListTenants } from '../queries/list-tenants';
import { OwnMembershipView, TenantView } from './views/tenants.views';

class TenantBody {
  @NameField(100, 'Analytical Engines') name!: string;
}

class TransferOwnershipBody {
  @IdField() userId!: string;
}

/** The tenants of the user, and the active tenant. */
@ApiTags('tenants')
@Controller('tenants')
export class TenantsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @SignedIn()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Create a tenant',
    description: 'You become its Owner. Switch to it to make it active.',
    data: TenantView,
    failures: [TenantFailures.tooManyTenants],
  })
  createTenant(@CurrentActor() actor: Actor, @Body() body: TenantBody) {
    return this.commands.execute(new CreateTenant(actor, body.name));
  }

  @Get()
  @SignedIn()
  @Responds({
    summary: 'List your tenants',
    description: 'The tenants that you are a member of, with your role in each.',
    data: OwnMembershipView,
    list: true,
  })
  listTenants(@CurrentActor() actor: Actor, @Query() page: PageQuery) {
    return this.queries.execute(
      new ListTenants(actor.userId, page, actor.impersonatorId === null ? actor.tokenId : null),
    );
  }

  @Get('current')
  @RequirePermission('tenant.settings.read')
  @Responds({ summary: 'Get the active tenant', data: TenantView, failures: [PlatformFailures.notFound] })
  getCurrentTenant(@CurrentTenantActor() actor: TenantActor) {
    return this.queries.execute(new GetCurrentTenant(actor));
  }

  @Patch('current')
  @RequirePermission('tenant.settings.manage')
  @Responds({ summary: 'Rename the active tenant', data: TenantView, failures: [PlatformFailures.notFound] })
  renameTenant(@CurrentTenantActor() actor: TenantActor, @Body() body: TenantBody) {
    return this.commands.execute(new RenameTenant(actor, body.name));
  }

  @Delete('current')
  @Fresh()
  @OwnerOnly()
  @Responds({
    summary: 'Delete the active tenant',
    description:
      'Deletes all members, roles, invitations and data permanently. Only the audit log is kept, for operators.',
    data: null,
    failures: [PlatformFailures.notFound, TenantFailures.subscriptionActive],
  })
  deleteTenant(@CurrentTenantPerson() actor: TenantPerson) {
    return this.commands.execute(new DeleteTenant(actor));
  }

  @Post('current/ownership')
  @Fresh()
  @OwnerOnly()
  @Responds({
    summary: 'Transfer the ownership',
    description:
      'Another member becomes the Owner and you become an Admin. Tokens carry the new roles from the next refresh.',
    data: null,
    failures: [PlatformFailures.notFound, TenantFailures.newOwnerDisabled, TenantFailures.newOwnerLeaving],
  })
  transferOwnership(@CurrentTenantPerson() actor: TenantPerson, @Body() body: TransferOwnershipBody) {
    return this.commands.execute(new TransferOwnership(actor, body.userId));
  }
}
