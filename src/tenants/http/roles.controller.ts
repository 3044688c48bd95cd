import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiveSession, NotWhileImpersonating, RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { PermissionsField } from '../../http/validation/choice-field.decorators';
import { NameField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { IdParam } from '../../http/validation/id-param.decorator';
import type { Permission } from '../../platform/permissions';
import { PlatformFailures } from '../../platform/platform.failures';
import { CreateRole } from '../commands/create-role';
import { DeleteRole } from '../commands/delete-role';
import { UpdateRole } from '../commands/update-role';
import { ListPermissions } from '../queries/list-permissions';
import { ListRoles } from '../queries/list-roles';
import { TenantFailures } from '../tenants.failures';
import { DeletedRoleView, PermissionView, RoleView } from './views/tenants.views';

class RoleBody {
  @NameField(50, 'Accountant') name!: string;
  @PermissionsField() permissions!: Permission[];
}

/** The roles of the active tenant and the permission catalogue. */
@ApiTags('roles')
@Controller('tenants/current')
export class RolesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('roles')
  @RequirePermission('tenant.roles.read')
  @Responds({ summary: 'List roles', data: RoleView, list: true })
  listRoles(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListRoles(actor, page));
  }

  @Get('permissions')
  @RequirePermission('tenant.roles.read')
  @Responds({
    summary: 'List permissions',
    description: 'Every permission that a role can have, on one page.',
    data: PermissionView,
    list: true,
  })
  listPermissions() {
    return this.queries.execute(new ListPermissions());
  }

  @Post('roles')
  @RequirePermission('tenant.roles.manage')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Create a role',
    data: RoleView,
    failures: [
      TenantFailures.permissionNotHeld,
      TenantFailures.roleNameTaken,
      TenantFailures.tooManyRoles,
      PlatformFailures.notFound,
    ],
  })
  createRole(@CurrentTenantActor() actor: TenantActor, @Body() body: RoleBody) {
    return this.commands.execute(new CreateRole(actor, body.name, body.permissions));
  }

  @Put('roles/:roleId')
  @RequirePermission('tenant.roles.manage')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Update a role',
    description:
      'You need every permission that the role has before and after the update. ' +
      'Tokens of its members carry the new permissions from the next refresh.',
    data: RoleView,
    failures: [
      PlatformFailures.notFound,
      TenantFailures.builtInRole,
      TenantFailures.permissionNotHeld,
      TenantFailures.roleNameTaken,
    ],
  })
  updateRole(@CurrentTenantActor() actor: TenantActor, @IdParam('roleId') roleId: string, @Body() body: RoleBody) {
    return this.commands.execute(new UpdateRole(actor, roleId, body.name, body.permissions));
  }

  @Delete('roles/:roleId')
  @LiveSession()
  @RequirePermission('tenant.roles.manage')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Delete a role',
    description:
      'The role must have no members, and you need every permission that it has. Invitations to it are revoked ' +
      'and listed.',
    data: DeletedRoleView,
    failures: [
      PlatformFailures.notFound,
      TenantFailures.builtInRole,
      TenantFailures.permissionNotHeld,
      TenantFailures.roleInUse,
    ],
  })
  deleteRole(@CurrentTenantActor() actor: TenantActor, @IdParam('roleId') roleId: string) {
    return this.commands.execute(new DeleteRole(actor, roleId));
  }
}
