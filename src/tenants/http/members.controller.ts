import { Body, Controller, Delete, Get, Patch, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  InTenant,
  LiveSession,
  NotWhileImpersonating,
  RequirePermission,
  SignedIn,
} from '../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { IdField } from '../../http/validation/id-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { ChangeMemberRole } from '../commands/change-member-role';
import { RemoveMember } from '../commands/remove-member';
import { ListMembers } from '../queries/list-members';
import { TenantFailures } from '../tenants.failures';
import { MemberView } from './views/tenants.views';

class ChangeMemberRoleBody {
  @IdField() roleId!: string;
}

/** The members of the active tenant. */
@ApiTags('members')
@Controller('tenants/current/members')
export class MembersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @RequirePermission('tenant.members.read')
  @Responds({ summary: 'List members', data: MemberView, list: true })
  listMembers(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListMembers(actor, page));
  }

  @Patch(':userId')
  @RequirePermission('tenant.members.manage')
  @NotWhileImpersonating()
  @Responds({
    summary: 'Change the role of a member',
    description:
      "You need every permission of the new role and of the member's current role. " +
      'Their tokens carry the new role from the next refresh.',
    data: MemberView,
    failures: [PlatformFailures.notFound, TenantFailures.ownerRoleFixed, TenantFailures.permissionNotHeld],
  })
  changeMemberRole(
    @CurrentTenantActor() actor: TenantActor,
    @IdParam('userId') userId: string,
    @Body() body: ChangeMemberRoleBody,
  ) {
    return this.commands.execute(new ChangeMemberRole(actor, userId, body.roleId));
  }

  @Delete(':userId')
  @LiveSession()
  @SignedIn()
  @InTenant()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Remove a member or leave the tenant',
    description:
      'Removing another member requires tenant.members.manage and every permission that the member has. ' +
      'Invitations sent by the member are revoked. Their access tokens for this tenant are rejected within a second ' +
      '(SESSION_ENDED).',
    data: null,
    failures: [
      PlatformFailures.forbidden,
      PlatformFailures.notFound,
      TenantFailures.permissionNotHeld,
      TenantFailures.ownerCannotLeave,
    ],
  })
  removeMember(@CurrentTenantActor() actor: TenantActor, @IdParam('userId') userId: string) {
    return this.commands.execute(new RemoveMember(actor, userId));
  }
}
