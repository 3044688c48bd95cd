import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  LiveSession,
  NotWhileImpersonating,
  PeopleOnly,
  Public,
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
import { OptionalIdField } from '../../http/validation/id-field.decorators';
import { TokenField } from '../../http/validation/secret-field.decorators';
import { TokenBody } from '../../http/validation/token-body';
import { EmailField } from '../../http/validation/text-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { AcceptInvitation } from '../commands/accept-invitation';
import { InviteMember } from '../commands/invite-member';
import { ResendInvitation } from '../commands/resend-invitation';
import { RevokeInvitation } from '../commands/revoke-invitation';
import { ListInvitations } from '../queries/list-invitations';
import { PreviewInvitation } from '../queries/preview-invitation';
import { TenantFailures } from '../tenants.failures';
import {
  InvitationPreview,
  InvitationView,
  MembershipView,
  ResentInvitationView,
  SentInvitationView,
} from './views/tenants.views';

class InviteMemberBody {
  @EmailField() email!: string;
  @OptionalIdField() roleId?: string;
}

class PreviewInvitationQuery {
  @TokenField() token!: string;
}

/** Invitations to the active tenant. */
@ApiTags('invitations')
@Controller('tenants/current/invitations')
@RequirePermission('tenant.members.invite')
export class InvitationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @PeopleOnly()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Invite a member',
    description:
      'Sends an email with a link that is valid for 7 days. Without `roleId`, the role is Member. ' +
      'The invitation becomes invalid if you leave the tenant or lose a permission of the role.',
    data: SentInvitationView,
    failures: [
      PlatformFailures.notFound,
      TenantFailures.permissionNotHeld,
      TenantFailures.alreadyMember,
      TenantFailures.alreadyInvited,
      TenantFailures.tooManyInvitations,
      TenantFailures.seatLimit,
    ],
  })
  inviteMember(@CurrentTenantPerson() actor: TenantPerson, @Body() body: InviteMemberBody) {
    return this.commands.execute(new InviteMember(actor, body.email, body.roleId));
  }

  @Get()
  @Responds({
    summary: 'List invitations',
    description: 'Pending and expired invitations, newest first.',
    data: InvitationView,
    list: true,
  })
  listInvitations(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListInvitations(actor, page));
  }

  @Delete(':id')
  @LiveSession()
  @NotWhileImpersonating()
  @Responds({ summary: 'Revoke an invitation', data: null, failures: [PlatformFailures.notFound] })
  revokeInvitation(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.commands.execute(new RevokeInvitation(actor, id));
  }

  @Post(':id/resend')
  @PeopleOnly()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Resend an invitation',
    description:
      'Sends the link again in your name. It is valid for 7 days, also in emails that were delivered before. ' +
      'To void a link, revoke the invitation.',
    data: ResentInvitationView,
    failures: [
      PlatformFailures.notFound,
      TenantFailures.permissionNotHeld,
      TenantFailures.tooManyInvitations,
      TenantFailures.seatLimit,
    ],
  })
  resendInvitation(@CurrentTenantPerson() actor: TenantPerson, @IdParam('id') id: string) {
    return this.commands.execute(new ResendInvitation(actor, id));
  }
}

/** Invitations received. Registering with an invitation is part of the auth module. */
@ApiTags('invitations')
@Controller('invitations')
export class ReceivedInvitationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('preview')
  @Public()
  @Responds({
    summary: 'Preview an invitation',
    description: 'Shows what the invitation is for, without accepting it.',
    data: InvitationPreview,
    failures: [TenantFailures.invitationInvalid, TenantFailures.invitationExpired],
  })
  previewInvitation(@Query() query: PreviewInvitationQuery) {
    return this.queries.execute(new PreviewInvitation(query.token));
  }

  @Post('accept')
  @SignedIn()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Accept an invitation',
    description: 'You become a member of the tenant. Switch to it to make it active.',
    data: MembershipView,
    failures: [
      TenantFailures.invitationInvalid,
      TenantFailures.invitationExpired,
      TenantFailures.invitationForOther,
      TenantFailures.alreadyMember,
      TenantFailures.tooManyTenants,
      TenantFailures.seatLimit,
      PlatformFailures.notFound,
    ],
  })
  acceptInvitation(@CurrentActor() actor: Actor, @Body() body: TokenBody) {
    return this.commands.execute(new AcceptInvitation(actor, body.token));
  }
}
