import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiveSession, NotWhileImpersonating, RequirePermission } from '../../http/access/access.guard';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { NameField, PermissionsField } from '../../http/validation/field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/pagination';
import { IdParam } from '../../http/validation/id-param.decorator';
import type { Permission } from '../../platform/permissions';
import { PlatformFailures } from '../../platform/platform.failures';
import { CreateRole } from '../commands/create-role';
import { DeleteRole } from '../commands/delete-role';
import { UpdateRole } from '../commands/update-role';
import { ListPermissions } from '../queries/list-permissions';
import { ListRoles } from '../queries/list-roles';
import { TenantFailures } from '../tenants.failures';
import { PermissionView, RoleView } from './views/tenants.views';

class RoleBody {
  @NameField(50, 'Accountant') name!: string;
  @PermissionsField() permissions!: Permission[];
}

/** The roles of the active tenant, and what they can be made of. */
@ApiTags('roles')
@Controller('tenants/current')
export class RolesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('roles')
  @RequirePermission('tenant.roles.read')
  @Responds({ summary: 'The roles of the active tenant', data: RoleView, list: true })
  listRoles(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListRoles(actor, page));
  }

  @Get('permissions')
  @RequirePermission('tenant.roles.read')
  @Responds({
    summary: 'The permissions that roles can be made of',
    description: 'All of them on one page.',
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
    summary: 'Make a role',
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
    summary: 'Change a role',
    description:
      'You must hold every permission that it has now, and will have. Tokens of its members show it from the next refresh on.',
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
    summary: 'Delete a role that has no members',
    description: 'You must hold every permission that it has. Invitations to it are taken back.',
    data: null,
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
