import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { AcceptInvitationHandler } from './commands/accept-invitation';
import { ChangeMemberRoleHandler } from './commands/change-member-role';
import { CreateRoleHandler } from './commands/create-role';
import { CreateTenantHandler } from './commands/create-tenant';
import { DeleteRoleHandler } from './commands/delete-role';
import { DeleteTenantHandler } from './commands/delete-tenant';
import { InviteMemberHandler } from './commands/invite-member';
import { PurgeInvitationsHandler } from './commands/purge-invitations';
import { RemoveMemberHandler } from './commands/remove-member';
import { PurgeDeletedTenantHandler } from './commands/purge-deleted-tenant';
import { RenameTenantHandler } from './commands/rename-tenant';
import { ResendInvitationHandler } from './commands/resend-invitation';
import { RevokeInvitationHandler } from './commands/revoke-invitation';
import { SendInvitationMailHandler } from './commands/send-invitation-mail';
import { TransferOwnershipHandler } from './commands/transfer-ownership';
import { UpdateRoleHandler } from './commands/update-role';
import { InvitationDetailsRepository } from './data/invitation-details.repository';
import { InvitationRepository } from './data/invitation.repository';
import { MembershipRepository } from './data/membership.repository';
import { RoleRepository } from './data/role.repository';
import { TenantDeletion } from './data/tenant-deletion';
import { TenantsOfUser } from './data/tenants-of-user';
import { TenantRepository } from './data/tenant.repository';
import { TenantProvisioning } from './services/tenant-provisioning';
import { RoleGrantPolicy } from './services/role-grant-policy';
import { InvitationsController, ReceivedInvitationsController } from './http/invitations.controller';
import { MembersController } from './http/members.controller';
import { RolesController } from './http/roles.controller';
import { TenantsController } from './http/tenants.controller';
import { InvitationQuota } from './services/invitation-quota';
import { MembershipEnrolment } from './services/membership-enrolment';
import { TenantOwners } from './services/tenant-owners';
import { GetCurrentTenantHandler } from './queries/get-current-tenant';
import { ListInvitationsHandler } from './queries/list-invitations';
import { ListMembersHandler } from './queries/list-members';
import { ListPermissionsHandler } from './queries/list-permissions';
import { ListRolesHandler } from './queries/list-roles';
import { ListTenantsHandler } from './queries/list-tenants';
import { PreviewInvitationHandler } from './queries/preview-invitation';
import { InvitationRevocation } from './services/invitation-revocation';

/** Tenants with their members, roles and invitations. */
@Module({
  imports: [UsersModule],
  controllers: [
    TenantsController,
    MembersController,
    RolesController,
    InvitationsController,
    ReceivedInvitationsController,
  ],
  providers: [
    TenantProvisioning,
    RoleGrantPolicy,
    InvitationQuota,
    InvitationDetailsRepository,
    InvitationRepository,
    MembershipEnrolment,
    MembershipRepository,
    TenantOwners,
    RoleRepository,
    TenantDeletion,
    TenantRepository,
    TenantsOfUser,
    InvitationRevocation,
    AcceptInvitationHandler,
    ChangeMemberRoleHandler,
    CreateRoleHandler,
    CreateTenantHandler,
    DeleteRoleHandler,
    DeleteTenantHandler,
    GetCurrentTenantHandler,
    InviteMemberHandler,
    ListInvitationsHandler,
    ListMembersHandler,
    ListPermissionsHandler,
    ListRolesHandler,
    ListTenantsHandler,
    PreviewInvitationHandler,
    PurgeInvitationsHandler,
    RemoveMemberHandler,
    PurgeDeletedTenantHandler,
    RenameTenantHandler,
    ResendInvitationHandler,
    RevokeInvitationHandler,
    SendInvitationMailHandler,
    TransferOwnershipHandler,
    UpdateRoleHandler,
  ],
  exports: [
    TenantProvisioning,
    InvitationQuota,
    InvitationDetailsRepository,
    MembershipEnrolment,
    TenantOwners,
    TenantsOfUser,
  ],
})
export class TenantsModule {}
